package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.ArtifactException.Reason;

class DownloadTest {
  private static final byte[] CONTENT = new byte[300_000];
  private static final Digest DIGEST;

  static {
    new Random(1).nextBytes(CONTENT);
    DIGEST = Digest.of(Sha256.start().digest(CONTENT));
  }

  private static final Web.Answer WHOLE = Web.file(CONTENT, "\"v1\"");

  /** Closes the connection after half of the content. */
  private static final Web.Answer HALF =
      Web.half(CONTENT, 150_000, "ETag: \"v1\"", (request, out, connection) -> {});

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private Web web;
  private Path blobs;
  private final Web.VirtualTicks ticks = new Web.VirtualTicks();

  @BeforeEach
  void start() throws IOException {
    web = new Web(WHOLE);
    blobs = root.resolve("blobs");
  }

  @AfterEach
  void stop() throws IOException {
    web.close();
  }

  private BlobStore store() throws ArtifactException {
    return Web.blobs(blobs, ticks, DiskSteps.NONE);
  }

  private WantedArchive wanted() throws ArtifactException {
    return WantedArchive.of(ArtifactSource.parse(web.url("/web.tar")), DIGEST);
  }

  private Blob fetch(WantedArchive wanted) throws ArtifactException {
    return store().fetch(wanted, WorkProgress.NONE, new Cancellation());
  }

  private ArtifactException failure(WantedArchive wanted, Reason reason) {
    var failures = new ArrayList<ArtifactException>();
    assertThatThrownBy(() -> fetch(wanted))
        .isInstanceOfSatisfying(ArtifactException.class, failures::add);
    assertThat(failures.get(0).reason()).as(failures.get(0).getMessage()).isEqualTo(reason);
    return failures.get(0);
  }

  private List<String> files() throws IOException {
    try (var all = Files.list(blobs)) {
      return all.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void anArchiveIsReadOnlyAndHasItsDigestAsName() throws Exception {
    var blob = fetch(wanted());
    assertThat(blob.path()).hasBinaryContent(CONTENT).isEqualTo(blobs.resolve(DIGEST.hex()));
    assertThat((int) Files.getAttribute(blob.path(), "unix:mode") & 07777).isEqualTo(0444);
    assertThat(files()).containsExactly(DIGEST.hex());
    assertThat(store().list()).containsExactly(blob);
    assertThat(store().verify(DIGEST, new Cancellation())).isTrue();
    assertThat(fetch(wanted())).isEqualTo(blob);
    assertThat(web.requests).hasSize(1);
  }

  @Test
  void withoutADigestTheResultIsThatOfTheBytes() throws ArtifactException {
    var wanted = WantedArchive.latest(ArtifactSource.parse(web.url("/web.tar")));
    assertThat(fetch(wanted).digest()).isEqualTo(DIGEST);
  }

  @Test
  void aBrokenDownloadContinues() throws Exception {
    web.answers(HALF);
    assertThat(failure(wanted(), Reason.CONNECTION_LOST))
        .hasMessageContaining("after 150000 bytes of 300000");
    assertThat(files()).hasSize(2);
    web.answers(WHOLE);
    var done = new ArrayList<Long>();
    store()
        .fetch(
            wanted(),
            (bytes, total, entries) -> {
              assertThat(total).isEqualTo(OptionalLong.of(CONTENT.length));
              done.add(bytes);
            },
            new Cancellation());
    assertThat(done).isSorted().allMatch(it -> it > 150_000).endsWith((long) CONTENT.length);
    assertThat(Web.header(web.requests.get(1), "Range")).isEqualTo("bytes=150000-");
    assertThat(Web.header(web.requests.get(1), "If-Range")).isEqualTo("\"v1\"");
    assertThat(files()).containsExactly(DIGEST.hex());
  }

  @Test
  void aTimeOfChangeIsAValidatorToo() throws Exception {
    var time = "Thu, 01 Jan 2026 00:00:00 GMT";
    web.answers(Web.half(CONTENT, 1000, "Last-Modified: " + time, (request, out, it) -> {}));
    failure(wanted(), Reason.CONNECTION_LOST);
    web.answers(WHOLE);
    fetch(wanted());
    assertThat(Web.header(web.requests.get(1), "If-Range")).isEqualTo(time);
  }

  @Test
  void withoutAValidatorADownloadBeginsAnew() throws Exception {
    for (var header : List.of("A: b", "ETag: W/\"v1\"")) {
      web.answers(Web.half(CONTENT, 1000, header, (request, out, it) -> {}));
      failure(wanted(), Reason.CONNECTION_LOST);
      failure(wanted(), Reason.CONNECTION_LOST);
    }
    assertThat(web.requests).noneMatch(it -> it.contains("Range"));
    web.answers(WHOLE);
    fetch(wanted());
  }

  @Test
  void changedContentBeginsAnew() throws Exception {
    var old = new byte[400_000];
    web.answers(Web.half(old, 200_000, "ETag: \"v0\"", (request, out, it) -> {}));
    failure(wanted(), Reason.CONNECTION_LOST);
    web.answers(WHOLE);
    assertThat(fetch(wanted()).path()).hasBinaryContent(CONTENT);
    assertThat(web.requests).hasSize(2);
  }

  @Test
  void aServerThatContinuesElsewhereIsAskedAnew() throws Exception {
    web.answers(HALF);
    failure(wanted(), Reason.CONNECTION_LOST);
    for (var header :
        List.of(
            "Content-Range: bytes 149999-299999/300000",
            "Content-Range: rubbish",
            "Content-Range: bytes 150000-299999/300000\r\nETag: \"v2\"")) {
      var asked = new AtomicInteger();
      web.answers(
          (request, out, connection) -> {
            if (asked.getAndIncrement() == 0) {
              assertThat(request).contains("Range");
              Web.head(out, "HTTP/1.1 206 Part", header, "Content-Length: 3");
              out.write(Machine.utf8("abc"));
            } else {
              assertThat(request).doesNotContain("Range");
              HALF.to(request, out, connection);
            }
          });
      failure(wanted(), Reason.CONNECTION_LOST);
      assertThat(asked).hasValue(2);
    }
    web.answers(WHOLE);
    fetch(wanted());
  }

  @Test
  void aDownloadThatHadEndedOnlyNeedsItsName() throws Exception {
    web.answers(Web.half(CONTENT, CONTENT.length, "ETag: \"v1\"", (request, out, it) -> {}));
    var crashing =
        Web.blobs(
            blobs,
            ticks,
            (step, path) -> {
              if (step.equals("chmod")) {
                throw new Crash.Stopped();
              }
            });
    assertThatThrownBy(() -> crashing.fetch(wanted(), WorkProgress.NONE, new Cancellation()))
        .isInstanceOf(Crash.Stopped.class);
    web.answers(WHOLE);
    fetch(wanted());
    assertThat(Web.header(web.requests.get(1), "Range")).isEqualTo("bytes=300000-");
    assertThat(web.requests).hasSize(2);
  }

  @Test
  void withoutADigestNothingContinuesAfterTheMachineHasStartedAnew() throws Exception {
    var wanted = WantedArchive.latest(ArtifactSource.parse(web.url("/web.tar")));
    web.answers(HALF);
    failure(wanted, Reason.CONNECTION_LOST);
    failure(wanted, Reason.CONNECTION_LOST);
    assertThat(web.requests.get(1)).contains("Range: bytes=150000-");
    var later = new BlobStore(blobs, Web.around(ticks, Map.of(), 0, Machine.PLENTY, "boot 2"));
    web.answers(WHOLE);
    later.fetch(wanted, WorkProgress.NONE, new Cancellation());
    assertThat(web.requests.get(2)).doesNotContain("Range");
  }

  @Test
  void wrongBytesAreDeleted() throws Exception {
    web.answers(Web.file(new byte[1000], "\"v1\""));
    var failure = failure(wanted(), Reason.DIGEST_MISMATCH);
    assertThat(failure).hasMessageContaining("instead of " + DIGEST);
    assertThat(files()).isEmpty();
    web.answers(WHOLE);
    fetch(wanted());
    assertThat(web.requests.get(1)).doesNotContain("Range");
  }

  @Test
  void notFoundMayPass() throws Exception {
    web.answers(Web.status(404));
    assertThat(failure(wanted(), Reason.NOT_FOUND).isTransient()).isTrue();
    web.answers(Web.status(403));
    failure(wanted(), Reason.ACCESS_DENIED);
    web.answers(Web.status(503));
    failure(wanted(), Reason.UNREACHABLE);
    web.answers(Web.status(204));
    failure(wanted(), Reason.UNREACHABLE);
    web.answers((request, out, connection) -> out.write(Machine.utf8("rubbish\r\n\r\n")));
    failure(wanted(), Reason.UNREACHABLE);
    web.answers(WHOLE);
    fetch(wanted());
  }

  @Test
  void aServerThatIsNotThereIsUnreachable() throws Exception {
    var wanted = wanted();
    web.close();
    assertThat(failure(wanted, Reason.UNREACHABLE).isTransient()).isTrue();
    var other = ArtifactSource.parse("http://no-such-host.invalid/a");
    assertThat(failure(WantedArchive.of(other, DIGEST), Reason.UNREACHABLE))
        .hasMessageContaining("has no address");
  }

  @Test
  void redirectsAreFollowedUpToALimit() throws Exception {
    web.answers(
        (request, out, connection) -> {
          int at = Integer.parseInt(request.replaceAll("(?s)GET /(\\d+).*", "$1"));
          (at == 0 ? WHOLE : Web.status(302 + at % 2 * 5, "Location: /" + (at - 1)))
              .to(request, out, connection);
        });
    fetch(WantedArchive.of(ArtifactSource.parse(web.url("/10")), DIGEST));
    assertThat(web.requests).hasSize(11);
    store().remove(DIGEST, new Cancellation());
    var eleven = WantedArchive.of(ArtifactSource.parse(web.url("/11")), DIGEST);
    assertThat(failure(eleven, Reason.BAD_REDIRECT)).hasMessageContaining("more than 10 times");
    web.answers(Web.status(301, "Location: ftp://127.0.0.1/a"));
    failure(wanted(), Reason.BAD_REDIRECT);
    web.answers(Web.status(301, "Location: file:///etc/passwd"));
    failure(wanted(), Reason.BAD_REDIRECT);
    web.answers(Web.status(301, "Location: http://user:hunter2@127.0.0.1/a"));
    assertThat(failure(wanted(), Reason.BAD_REDIRECT).getMessage()).doesNotContain("hunter2");
    web.answers(Web.status(301));
    failure(wanted(), Reason.BAD_REDIRECT);
  }

  /** Runs a fetch in another thread. */
  private Future<Blob> begun(WantedArchive wanted, Cancellation cancellation) {
    return Web.THREADS.submit(() -> store().fetch(wanted, WorkProgress.NONE, cancellation));
  }

  private static void failed(Future<Blob> call, Reason reason) {
    assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(reason));
  }

  /** Says that it was reached, and then waits until the client closes the connection. */
  private static Web.Answer waiting(CountDownLatch reached, CountDownLatch closed) {
    return (request, out, connection) -> {
      reached.countDown();
      try {
        while (connection.getInputStream().read() >= 0) {
          // The client sends nothing.
        }
      } finally {
        closed.countDown();
      }
    };
  }

  @Test
  void aStalledBodyFailsAndContinuesLater() throws Exception {
    var reached = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    web.answers(Web.half(CONTENT, 1000, "ETag: \"v1\"", waiting(reached, closed)));
    var seen = new CountDownLatch(1);
    var call =
        Web.THREADS.submit(
            () ->
                store()
                    .fetch(
                        wanted(), (done, total, entries) -> seen.countDown(), new Cancellation()));
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(seen.await(20, TimeUnit.SECONDS)).isTrue();
    ticks.run(Duration.ofSeconds(100));
    failed(call, Reason.STALLED);
    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    ticks.run(Duration.ZERO);
    web.answers(WHOLE);
    fetch(wanted());
    assertThat(web.requests.get(1)).contains("Range: bytes=1000-");
  }

  @Test
  void aServerThatDoesNotAnswerStalls() throws Exception {
    var reached = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    web.answers(waiting(reached, closed));
    var call = begun(wanted(), new Cancellation());
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    ticks.run(Duration.ofSeconds(100));
    failed(call, Reason.STALLED);
    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aCancelledDownloadEndsAtOnceAndItsConnectionToo() throws Exception {
    for (var validator : List.of("", "ETag: \"v1\"")) {
      var reached = new CountDownLatch(1);
      var closed = new CountDownLatch(1);
      var waiting = waiting(reached, closed);
      web.answers(validator.isEmpty() ? waiting : Web.half(CONTENT, 1000, validator, waiting));
      var cancellation = new Cancellation();
      var call = begun(wanted(), cancellation);
      assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
      cancellation.cancel();
      failed(call, Reason.CANCELLED);
      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }
    web.answers(WHOLE);
    fetch(wanted());
  }

  @Test
  void anAbandonedDownloadLeavesNothing() throws Exception {
    web.answers(HALF);
    failure(wanted(), Reason.CONNECTION_LOST);
    store().abandon(wanted(), new Cancellation());
    store().abandon(wanted(), new Cancellation());
    assertThat(files()).isEmpty();
  }

  @Test
  void oneDigestIsDownloadedOnceAtATime() throws Exception {
    var reached = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    web.answers(
        (request, out, connection) -> {
          reached.countDown();
          go.await();
          WHOLE.to(request, out, connection);
        });
    var store = store();
    var other = WantedArchive.of(ArtifactSource.parse(web.url("/mirror/web.tar")), DIGEST);
    var first =
        Web.THREADS.submit(() -> store.fetch(wanted(), WorkProgress.NONE, new Cancellation()));
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    var second =
        Web.THREADS.submit(() -> store.fetch(other, WorkProgress.NONE, new Cancellation()));
    var cancellation = new Cancellation();
    var third = Web.THREADS.submit(() -> store.fetch(other, WorkProgress.NONE, cancellation));
    cancellation.cancel();
    failed(third, Reason.CANCELLED);
    go.countDown();
    assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(first.get(20, TimeUnit.SECONDS));
    assertThat(web.requests).hasSize(1);
  }

  @Test
  void theSizeIsLimited() throws Exception {
    web.answers(
        (request, out, connection) ->
            Web.head(out, "HTTP/1.1 200 OK", "ETag: \"a\"", "Content-Length: 99999999999"));
    assertThat(failure(wanted(), Reason.TOO_LARGE).isTransient()).isFalse();
    assertThat(files()).isEmpty();
    web.answers(
        (request, out, connection) -> {
          Web.head(out, "HTTP/1.1 200 OK", "ETag: \"a\"", "Connection: close");
          for (int i = 0; i < 200; i++) {
            out.write(new byte[100_000]);
          }
        });
    failure(wanted(), Reason.TOO_LARGE);
    assertThat(files()).isEmpty();
  }

  @Test
  void spaceIsCheckedAndAnotherAttemptContinues() throws Exception {
    var free = new AtomicInteger(CONTENT.length + 999);
    var small = new BlobStore(blobs, Web.around(ticks, Map.of(), 0, it -> free.get(), "boot 1"));
    assertThatThrownBy(() -> small.fetch(wanted(), WorkProgress.NONE, new Cancellation()))
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(Reason.NO_SPACE);
              assertThat(it.isTransient()).isTrue();
            });
    free.set(CONTENT.length + 1000);
    small.fetch(wanted(), WorkProgress.NONE, new Cancellation());
  }

  @Test
  void downloadsShareTheBandwidth() throws Exception {
    var around = Web.around(ticks, Map.of(), 100_000, Machine.PLENTY, "boot 1");
    new BlobStore(blobs, around).fetch(wanted(), WorkProgress.NONE, new Cancellation());
    assertThat(ticks.nanos() / 1e9).isBetween(2.8, 3.1);
    new BlobStore(root.resolve("more"), around)
        .fetch(wanted(), WorkProgress.NONE, new Cancellation());
    assertThat(ticks.nanos() / 1e9).isBetween(5.7, 6.1);
  }

  @Test
  void aProxyIsUsedUnlessTheHostIsExcepted() throws Exception {
    var asked = ArtifactSource.parse("http://example.invalid:81/web.tar?a=b");
    var wanted = WantedArchive.of(asked, DIGEST);
    var proxies = Map.of("http_proxy", "http://me:secret@127.0.0.1:" + web.port());
    var store = new BlobStore(blobs, Web.around(ticks, proxies, 0, Machine.PLENTY, "boot 1"));
    store.fetch(wanted, WorkProgress.NONE, new Cancellation());
    assertThat(web.requests.get(0)).startsWith("GET http://example.invalid:81/web.tar?a=b ");
    assertThat(Web.header(web.requests.get(0), "Proxy-Authorization"))
        .isEqualTo("Basic bWU6c2VjcmV0");
    store.remove(DIGEST, new Cancellation());
    store.fetch(wanted(), WorkProgress.NONE, new Cancellation());
    assertThat(web.requests.get(1)).startsWith("GET http://127.0.0.1:");
    var none = Map.of("http_proxy", proxies.get("http_proxy"), "no_proxy", "127.0.0.1");
    store.remove(DIGEST, new Cancellation());
    new BlobStore(blobs, Web.around(ticks, none, 0, Machine.PLENTY, "boot 1"))
        .fetch(wanted(), WorkProgress.NONE, new Cancellation());
    assertThat(web.requests.get(2)).startsWith("GET /web.tar ");
    assertThat(Web.header(web.requests.get(2), "Proxy-Authorization")).isEmpty();
  }

  @Test
  void aFileIsCopied() throws Exception {
    var file = Files.write(root.resolve("web.tar"), CONTENT);
    var source = ArtifactSource.parse(file.toUri().toString());
    assertThat(fetch(WantedArchive.latest(source)).digest()).isEqualTo(DIGEST);
    assertThat(file).exists();
    assertThat(files()).containsExactly(DIGEST.hex());
    failure(WantedArchive.latest(ArtifactSource.parse("file:" + root + "/no")), Reason.NOT_FOUND);
    failure(WantedArchive.latest(ArtifactSource.parse(root.toString())), Reason.BAD_SOURCE);
    failure(WantedArchive.latest(ArtifactSource.parse("file:///dev/zero")), Reason.BAD_SOURCE);
    Files.write(file, Arrays.copyOf(CONTENT, 10));
    store().remove(DIGEST, new Cancellation());
    failure(WantedArchive.of(source, DIGEST), Reason.DIGEST_MISMATCH);
    assertThat(files()).isEmpty();
  }

  @Test
  void aCrashAtAnyStepLeavesNothingOrTheArchive() throws Exception {
    var wanted = wanted();
    var counted = Crash.never();
    Web.blobs(root.resolve("whole"), ticks, counted)
        .fetch(wanted, WorkProgress.NONE, new Cancellation());
    assertThat(counted.steps()).isGreaterThan(15);
    for (int step = 0; step < counted.steps(); step++) {
      blobs = root.resolve("blobs" + step);
      var crash = Crash.before(step);
      var crashing = Web.blobs(blobs, ticks, crash);
      assertThatThrownBy(() -> crashing.fetch(wanted, WorkProgress.NONE, new Cancellation()))
          .isInstanceOf(Crash.Stopped.class);
      var found = store().find(DIGEST);
      if (found.isPresent()) {
        assertThat(store().verify(DIGEST, new Cancellation())).isTrue();
      }
      var removed = store().recover(step % 2 == 0 ? List.of() : List.of(wanted));
      if (step % 2 == 0) {
        assertThat(Files.exists(blobs) ? files() : List.of())
            .isEqualTo(found.isPresent() ? List.of(DIGEST.hex()) : List.of());
      } else {
        assertThat(removed).noneMatch(it -> it.startsWith(".part"));
      }
      assertThat(fetch(wanted).path()).hasBinaryContent(CONTENT);
      store().recover(List.of());
      assertThat(files()).containsExactly(DIGEST.hex());
    }
  }
}
