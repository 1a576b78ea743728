package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.artifacts.ArtifactException;
import verwalter.artifacts.ArtifactStore;
import verwalter.artifacts.Bandwidth;
import verwalter.artifacts.BlobStore;
import verwalter.artifacts.FetchLimits;
import verwalter.artifacts.FreeSpace;
import verwalter.artifacts.ProxyTable;
import verwalter.artifacts.ReleaseStore;
import verwalter.artifacts.Ticks;
import verwalter.artifacts.UnpackLimits;
import verwalter.artifacts.UnusedItems;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.controllers.deployment.ByteProgress;
import verwalter.controllers.deployment.ReleaseFailure;
import verwalter.controllers.deployment.ReleaseFiles.Contents;
import verwalter.controllers.deployment.ReleaseFiles.Found;
import verwalter.controllers.deployment.ReleaseFiles.Named;
import verwalter.controllers.deployment.ReleaseFiles.Release;
import verwalter.controllers.deployment.ReleaseFiles.Wanted;
import verwalter.model.Reason;

/** The promises of the port, over a real disk and a real server. */
class LocalReleaseFilesTest {
  private static final String KEY = "web@1@main@g1.l0@n1";

  @TempDir Path root;
  private final Vertx vertx = Vertx.vertx();
  private final ContextLoop loop = new ContextLoop(vertx);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer server;
  private byte[] archive;
  private String digest;
  private LocalReleaseFiles files;

  /** The time of the machine. */
  private static final class RealTicks implements Ticks {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) {
      LockSupport.parkNanos(nanos);
    }
  }

  @BeforeEach
  void open() throws Exception {
    archive = zip("bin/run", "echo hello");
    digest = digest(archive);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/web.zip",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, archive.length);
            exchange.getResponseBody().write(archive);
          }
        });
    server.createContext(
        "/slow.zip",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, archive.length);
            exchange.getResponseBody().write(archive, 0, 10);
            exchange.getResponseBody().flush();
            over.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
    files = files();
  }

  /** The files as the agent has them after a start. */
  private LocalReleaseFiles files() throws ArtifactException {
    var ticks = new RealTicks();
    var around =
        new BlobStore.Surroundings(
            new FetchLimits(1 << 20, Duration.ofMinutes(1), Duration.ofSeconds(5), 3, 0),
            new Bandwidth(0, ticks),
            ProxyTable.of(Map.of()),
            Optional.empty(),
            FreeSpace.OF_DISK,
            ticks,
            threads,
            "boot");
    var store =
        new ArtifactStore(
            new BlobStore(root.resolve("blobs"), around),
            new ReleaseStore(
                root.resolve("releases"), UnpackLimits.DEFAULT, FreeSpace.OF_DISK, threads));
    return new LocalReleaseFiles(store, UnusedItems.DEFAULT, loop, threads);
  }

  @AfterEach
  void close() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
    vertx.close();
  }

  private static byte[] zip(String name, String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(text.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    return bytes.toByteArray();
  }

  private static String digest(byte[] bytes) throws Exception {
    return "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private static <V> V await(Future<V> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static ReleaseFailure failure(Future<?> future) throws Exception {
    try {
      throw new AssertionError("expected a failure, but the result is " + await(future));
    } catch (CompletionException failed) {
      assertThat(failed.getCause()).isInstanceOf(ReleaseFailure.class);
      return (ReleaseFailure) failed.getCause();
    }
  }

  private Found found(String source) throws Exception {
    return await(files.find(KEY, source, Optional.of(digest)));
  }

  @Test
  void anArchiveIsFetchedUnpackedFoundAndRemoved() throws Exception {
    var wanted = new Wanted(url("/web.zip"), Optional.of(digest));
    assertThat(found(wanted.source())).isEqualTo(new Found(Optional.empty(), Optional.empty()));
    var fetch = files.fetch(wanted);
    assertThat(await(fetch.done())).isEqualTo(digest);
    assertThat(fetch.progress())
        .isEqualTo(new ByteProgress(archive.length, Optional.of((long) archive.length)));
    assertThat(await(files.archive(digest))).contains((long) archive.length);
    var release = await(files.create(KEY, digest).done());
    assertThat(Path.of(release.path(), "bin/run")).hasContent("echo hello");
    files = files(); // a crash loses nothing
    assertThat(found(wanted.source()))
        .isEqualTo(new Found(Optional.of(release), Optional.of((long) archive.length)));
    assertThat(release.digest()).contains(digest);
    assertThat(await(files.verify(KEY).done())).isEmpty();
    for (int i = 0; i < 2; i++) {
      await(files.removeRelease(KEY));
      await(files.removeArchive(digest));
      assertThat(found(wanted.source())).isEqualTo(new Found(Optional.empty(), Optional.empty()));
    }
  }

  @Test
  void withoutADigestTheFetchSaysIt() throws Exception {
    var wanted = new Wanted(url("/web.zip"), Optional.empty());
    assertThat(await(files.fetch(wanted).done())).isEqualTo(digest);
  }

  @Test
  void aCancelledFetchEndsAndItsRestCanBeRemoved() throws Exception {
    var wanted = new Wanted(url("/slow.zip"), Optional.of(digest));
    var fetch = files.fetch(wanted);
    while (fetch.progress().done() < 10) {
      await(loop.offload(() -> 0));
    }
    fetch.cancel();
    assertThat(failure(fetch.done()).reason()).isEqualTo(Reason.CANCELLED);
    await(files.abandon(wanted));
    try (var left = Files.list(root.resolve("blobs"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void failuresSayWhetherTheyMayPass() throws Exception {
    var missing = failure(files.fetch(new Wanted(url("/none"), Optional.of(digest))).done());
    assertThat(missing.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(missing.mayPass()).isTrue();
    var other = "sha256:" + "0".repeat(64);
    assertThat(
            failure(files.fetch(new Wanted(url("/web.zip"), Optional.of(other))).done()).reason())
        .isEqualTo(Reason.DIGEST_MISMATCH);
    var bad = failure(files.fetch(new Wanted("ftp://a/b", Optional.empty())).done());
    assertThat(bad.reason()).isEqualTo(Reason.BAD_SOURCE);
    assertThat(bad.mayPass()).isFalse();
    assertThat(failure(files.create(KEY, digest).done()).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void aReleaseOfAnotherArchiveStays() throws Exception {
    await(files.fetch(new Wanted(url("/web.zip"), Optional.empty())).done());
    var first = await(files.create(KEY, digest).done());
    archive = zip("bin/run", "echo other");
    var other = await(files.fetch(new Wanted(url("/web.zip"), Optional.empty())).done());
    var refused = failure(files.create(KEY, other).done());
    assertThat(refused.reason()).isEqualTo(Reason.BAD_KEY);
    assertThat(refused.mayPass()).isFalse();
    assertThat(found(url("/web.zip")).release()).contains(first);
  }

  @Test
  void aDirectoryIsUsedInPlaceWhileItExists() throws Exception {
    var directory = Files.createDirectory(root.resolve("web"));
    assertThat(found(directory.toString()).release())
        .contains(new Release(directory.toString(), Optional.empty()));
    await(files.removeRelease(KEY));
    Files.delete(directory);
    assertThat(found(directory.toString()).release()).isEmpty();
  }

  /** Makes everything on the disk older than unused files may be. */
  private void age() throws IOException {
    var old = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
    try (var all = Files.walk(root)) {
      for (var path : all.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(path, old);
      }
    }
  }

  @Test
  void whatIsNotNamedGoesOnceItIsOld() throws Exception {
    await(files.fetch(new Wanted(url("/web.zip"), Optional.empty())).done());
    var release = await(files.create(KEY, digest).done());
    assertThat(await(files.contents()))
        .isEqualTo(new Contents(Map.of(KEY, release.path()), Set.of(digest)));
    var nothing = new Named(Set.of(), Set.of("malformed"));
    assertThat(await(files.collect(nothing))).isEmpty();
    age();
    assertThat(await(files.collect(new Named(Set.of(KEY), Set.of(digest))))).isEmpty();
    assertThat(await(files.collect(nothing))).isEmpty(); // it was named a moment ago
    age();
    assertThat(await(files.collect(new Named(Set.of(KEY), Set.of()))))
        .containsExactly("blob " + digest);
    age();
    assertThat(await(files.collect(nothing))).containsExactly("release " + KEY);
    assertThat(await(files.contents())).isEqualTo(new Contents(Map.of(), Set.of()));
  }

  @Test
  void recoveryRemovesRestsOnceAndKeepsThoseThatAreContinued() throws Exception {
    var wanted = new Wanted(url("/slow.zip"), Optional.of(digest));
    var fetch = files.fetch(wanted);
    while (fetch.progress().done() < 10) {
      await(loop.offload(() -> 0));
    }
    fetch.cancel();
    failure(fetch.done());
    var blobs = root.resolve("blobs");
    var rests = Files.list(blobs).toList();
    assertThat(rests).isNotEmpty();
    var trash = Files.createDirectories(root.resolve("releases/.trash-old/files"));
    files = files(); // as after a crash
    await(files.recover(List.of(wanted, new Wanted("ftp://a/b", Optional.empty()))));
    assertThat(trash.getParent()).doesNotExist();
    assertThat(Files.list(blobs)).containsExactlyInAnyOrderElementsOf(rests);
    await(files.recover(List.of())); // the first call was enough
    assertThat(Files.list(blobs)).containsExactlyInAnyOrderElementsOf(rests);
    files = files();
    await(files.recover(List.of()));
    assertThat(Files.list(blobs)).isEmpty();
  }

  @Test
  void changedFilesAreFound() throws Exception {
    await(files.fetch(new Wanted(url("/web.zip"), Optional.empty())).done());
    var release = await(files.create(KEY, digest).done());
    Files.delete(Path.of(release.path(), "bin/run"));
    Files.createFile(Path.of(release.path(), "more"));
    assertThat(await(files.verify(KEY).done()))
        .containsExactlyInAnyOrder("bin/run is missing", "more is not in the archive");
    assertThat(failure(files.verify("none").done()).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void afterItsEndEveryCallIsCancelled() throws Exception {
    var fetch = files.fetch(new Wanted(url("/slow.zip"), Optional.of(digest)));
    files.close();
    assertThat(failure(fetch.done()).reason()).isEqualTo(Reason.CANCELLED);
    assertThat(failure(files.archive(digest)).reason()).isEqualTo(Reason.CANCELLED);
    threads.shutdown();
    assertThat(failure(files.contents()).reason()).isEqualTo(Reason.CANCELLED);
  }

  @Test
  void whatCannotBeReadIsNotFoundButNotAFailure() throws Exception {
    for (var source : new String[] {"ftp://a/b", "", "/does/not/exist"}) {
      assertThat(await(files.find(KEY, source, Optional.of("xyz"))))
          .isEqualTo(new Found(Optional.empty(), Optional.empty()));
      await(files.abandon(new Wanted(source, Optional.of("xyz"))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachReasonOfTheLibraryIsAReasonOfConditions(ArtifactException.Reason reason) {
    assertThat(LocalReleaseFiles.reason(reason).title()).isEqualTo(reason.word());
  }
}
