package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.artifacts.ArtifactException.Reason;

/** Web servers and files that break the rules: each fetch ends, and says why it failed. */
class HostileSourceTest {
  private static final byte[] CONTENT = new byte[50_000];
  private static final Digest DIGEST = Digest.of(Sha256.start().digest(CONTENT));

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private Web web;
  private Path blobs;
  private final Web.VirtualTicks ticks = new Web.VirtualTicks();

  @BeforeEach
  void start() throws IOException {
    web = new Web(Web.status(404));
    blobs = root.resolve("blobs");
  }

  @AfterEach
  void stop() throws IOException {
    web.close();
  }

  private Blob fetch(WantedArchive wanted) throws ArtifactException {
    return Web.blobs(blobs, ticks, DiskSteps.NONE)
        .fetch(wanted, WorkProgress.NONE, new Cancellation());
  }

  private WantedArchive fromWeb() throws ArtifactException {
    return WantedArchive.of(ArtifactSource.parse(web.url("/web.tar")), DIGEST);
  }

  private static WantedArchive latest(Path file) throws ArtifactException {
    return WantedArchive.latest(ArtifactSource.parse(file.toUri().toString()));
  }

  private ArtifactException failure(WantedArchive wanted, Reason reason) {
    var failures = new ArrayList<ArtifactException>();
    assertThatThrownBy(() -> fetch(wanted))
        .isInstanceOfSatisfying(ArtifactException.class, failures::add);
    assertThat(failures.get(0).reason()).as(failures.get(0).getMessage()).isEqualTo(reason);
    return failures.get(0);
  }

  private List<String> archives() throws IOException {
    try (var all = Files.list(blobs)) {
      return all.map(it -> it.getFileName().toString())
          .filter(it -> !it.startsWith(".part"))
          .toList();
    }
  }

  @Test
  void headersWithoutEndAreCutOff() throws Exception {
    web.answers(
        (request, out, connection) -> {
          out.write(Machine.utf8("HTTP/1.1 200 OK\r\n"));
          var header = Machine.utf8("X-Header: " + "x".repeat(8000) + "\r\n");
          for (int i = 0; i < 10_000; i++) {
            out.write(header);
          }
          Web.head(out, "Content-Length: " + CONTENT.length);
          out.write(CONTENT);
        });

    assertThat(failure(fromWeb(), Reason.UNREACHABLE).isTransient()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: -1",
        "Content-Length: 50,000",
        "Content-Length: 99999999999999999999999",
        "Content-Length: 49999",
        "Content-Length: 50001",
        "Transfer-Encoding: chunked",
        "Content-Encoding: gzip",
        "Content-Range: bytes 1-2/3"
      })
  void aWrongHeaderNeverGivesAnotherArchive(String header) throws Exception {
    web.answers(
        (request, out, connection) -> {
          Web.head(out, "HTTP/1.1 200 OK", "Connection: close", header);
          out.write(CONTENT);
          out.flush();
        });

    try {
      assertThat(fetch(fromWeb()).path()).hasBinaryContent(CONTENT);
    } catch (ArtifactException failed) {
      assertThat(failed.isTransient()).as(failed.getMessage()).isTrue();
      assertThat(failed).hasMessageStartingWith("cannot ").hasMessageContaining(web.url("/"));
      assertThat(archives()).isEmpty();
    }
    web.answers(Web.file(CONTENT, "\"v1\""));
    assertThat(fetch(fromWeb()).path()).hasBinaryContent(CONTENT);
  }

  @Test
  void aCompressedBodyIsNotUnpacked() throws Exception {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(CONTENT);
    }
    web.answers(
        (request, out, connection) -> {
          assertThat(Web.header(request, "Accept-Encoding")).isEmpty();
          Web.head(
              out,
              "HTTP/1.1 200 OK",
              "Content-Encoding: gzip",
              "Content-Length: " + packed.size(),
              "Connection: close");
          out.write(packed.toByteArray());
        });
    var digest = Digest.of(Sha256.start().digest(packed.toByteArray()));
    var wanted = WantedArchive.of(ArtifactSource.parse(web.url("/web.tar.gz")), digest);

    assertThat(fetch(wanted).path()).hasBinaryContent(packed.toByteArray());
    failure(fromWeb(), Reason.DIGEST_MISMATCH);
  }

  @Test
  void interimAnswersWithoutEndAreNotAwaited() throws Exception {
    web.answers(
        (request, out, connection) -> {
          while (!connection.isClosed()) {
            Web.head(out, "HTTP/1.1 100 Continue");
          }
        });
    ticks.run(Duration.ofSeconds(100));

    assertThatThrownBy(() -> fetch(fromWeb()))
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> assertThat(it.reason()).isIn(Reason.UNREACHABLE, Reason.STALLED));
  }

  @Test
  void redirectsInALoopEnd() throws Exception {
    web.answers(Web.status(302, "Location: /web.tar"));

    assertThat(failure(fromWeb(), Reason.BAD_REDIRECT)).hasMessageContaining("more than 10 times");
  }

  @Test
  void aPipeIsNotOpened() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(Machine.run(root, List.of("mkfifo", pipe.toString()))).isZero();

    assertThat(failure(latest(pipe), Reason.BAD_SOURCE))
        .hasMessageContaining("is not a regular file");
    var link = Files.createSymbolicLink(root.resolve("link"), pipe);
    assertThat(failure(latest(link), Reason.BAD_SOURCE))
        .hasMessageContaining("is not a regular file");
  }

  @Test
  void aLinkToAnArchiveIsFollowed() throws Exception {
    var file = Files.write(root.resolve("file"), CONTENT);
    var link = Files.createSymbolicLink(root.resolve("link"), file);

    assertThat(fetch(latest(link)).path()).isRegularFile().hasBinaryContent(CONTENT);
    assertThat(Files.isSymbolicLink(blobs.resolve(DIGEST.hex()))).isFalse();
    var loop = Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    failure(latest(loop), Reason.NOT_FOUND);
  }

  @Test
  void aFileThatIsChangedWhileItIsCopiedIsFetchedAgain() throws Exception {
    var file = Files.write(root.resolve("file"), CONTENT);
    var changing =
        Web.blobs(
            blobs,
            ticks,
            (step, path) -> {
              if (step.equals("write")) {
                rewrite(file);
              }
            });

    assertThatThrownBy(() -> changing.fetch(latest(file), WorkProgress.NONE, new Cancellation()))
        .hasMessageContaining("changed while it was copied")
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.isTransient()).isTrue());
    assertThat(archives()).isEmpty();
    assertThat(fetch(latest(file)).path()).hasBinaryContent(changed());
  }

  private static byte[] changed() {
    var bytes = new byte[CONTENT.length + 1];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  private static void rewrite(Path file) {
    try {
      Files.write(file, changed());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
