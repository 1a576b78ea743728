package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.artifacts.ArtifactException.Reason;

/** Other machines as sources of an archive. */
class PeerDownloadTest {
  private static final byte[] CONTENT = new byte[300_000];
  private static final byte[] WRONG = new byte[300_000];
  private static final Digest DIGEST;

  static {
    new Random(1).nextBytes(CONTENT);
    DIGEST = Digest.of(Sha256.start().digest(CONTENT));
  }

  private static final int HALF = 150_000;

  /** A download takes more steps on the disk than that. */
  private static final int FEWEST_STEPS = 25;

  private static final Web.Answer WHOLE = Web.peer(CONTENT);
  private static final Duration PAUSE = PeerLimits.DEFAULT.pause();

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private final Web.VirtualTicks ticks = new Web.VirtualTicks();
  private final List<String> failures = new ArrayList<>();
  private final List<Web> peers = new ArrayList<>();
  private final AtomicLong space = new AtomicLong(1L << 40);
  private Web origin;
  private BlobStore store;

  @BeforeEach
  void start() throws Exception {
    origin = new Web(Web.file(CONTENT, "\"v1\""));
    store = opened(0, DiskSteps.NONE);
  }

  @AfterEach
  void stop() throws Exception {
    origin.close();
    for (var it : peers) {
      it.close();
    }
  }

  private BlobStore opened(long bandwidth, DiskSteps steps) throws ArtifactException {
    return opened(root.resolve("blobs"), bandwidth, steps);
  }

  private BlobStore opened(Path directory, long bandwidth, DiskSteps steps)
      throws ArtifactException {
    var known =
        new ArchivePeers() {
          @Override
          public List<Peer> having(Digest digest, Cancellation cancellation) {
            assertThat(digest).isEqualTo(DIGEST);
            var all = new ArrayList<Peer>();
            for (var it : peers) {
              all.add(new Peer("n" + (all.size() + 1), URI.create(it.url("/" + digest.hex()))));
            }
            return all;
          }

          @Override
          public void failed(Peer peer, Digest digest, String why) {
            failures.add(peer.name() + " " + why);
          }
        };
    var others = new BlobStore.Others(known, PeerLimits.DEFAULT, Optional.empty());
    return new BlobStore(
        directory,
        Web.around(ticks, Map.of(), bandwidth, others, any -> space.get(), "boot 1"),
        steps);
  }

  private Web peer(Web.Answer answer) throws Exception {
    var peer = new Web(answer);
    peers.add(peer);
    return peer;
  }

  private WantedArchive wanted() throws ArtifactException {
    return WantedArchive.of(ArtifactSource.parse(origin.url("/web.tar")), DIGEST);
  }

  private Blob fetch(WantedArchive wanted) throws ArtifactException {
    return store.fetch(wanted, WorkProgress.NONE, new Cancellation());
  }

  private void fetched() throws ArtifactException {
    assertThat(fetch(wanted()).path()).hasBinaryContent(CONTENT);
  }

  /** Fetches the archive anew. */
  private void again() throws ArtifactException {
    store.remove(DIGEST, new Cancellation());
    fetched();
  }

  private ArtifactException failure(WantedArchive wanted, Reason reason) {
    var failures = new ArrayList<ArtifactException>();
    assertThatThrownBy(() -> fetch(wanted))
        .isInstanceOfSatisfying(ArtifactException.class, failures::add);
    assertThat(failures.get(0).reason()).as(failures.get(0).getMessage()).isEqualTo(reason);
    return failures.get(0);
  }

  private List<String> files() throws Exception {
    try (var all = Files.list(root.resolve("blobs"))) {
      return all.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }

  private static String range(Web web, int request) {
    return Web.header(web.requests.get(request), "Range");
  }

  /** Waits until the client closes the connection. */
  private static final Web.Answer SILENT =
      (request, out, connection) -> {
        while (connection.getInputStream().read() >= 0) {
          // The client sends nothing.
        }
      };

  @Test
  void aMachineThatHasTheArchiveSendsItAndTheOriginIsNotAsked() throws Exception {
    var peer = peer(WHOLE);
    var done = new ArrayList<Long>();
    store.fetch(wanted(), (bytes, total, entries) -> done.add(bytes), new Cancellation());
    assertThat(done).isSorted().endsWith((long) CONTENT.length);
    assertThat(peer.requests).hasSize(1);
    assertThat(peer.requests.get(0)).startsWith("GET /" + DIGEST.hex() + " ");
    assertThat(origin.requests).isEmpty();
    assertThat(files()).containsExactly(DIGEST.hex());
    assertThat(store.verify(DIGEST, new Cancellation())).isTrue();
  }

  @Test
  void withoutADigestNobodyElseIsAsked() throws Exception {
    var peer = peer(WHOLE);
    assertThat(fetch(WantedArchive.latest(ArtifactSource.parse(origin.url("/a")))).digest())
        .isEqualTo(DIGEST);
    failure(WantedArchive.latest(ArtifactSource.parse("file:" + root + "/none")), Reason.NOT_FOUND);
    assertThat(peer.requests).isEmpty();
  }

  @Test
  void theNextMachineContinuesInTheSameFile() throws Exception {
    peer(Web.ending(CONTENT, 100_000));
    peer(
        (request, out, connection) -> {
          assertThat(files()).containsExactly(".from-" + DIGEST.hex(), ".part-" + DIGEST.hex());
          Web.ending(CONTENT, 200_000).to(request, out, connection);
        });
    peer(WHOLE);
    fetched();
    assertThat(range(peers.get(0), 0)).isEmpty();
    assertThat(range(peers.get(1), 0)).isEqualTo("bytes=100000-");
    assertThat(range(peers.get(2), 0)).isEqualTo("bytes=200000-");
    assertThat(origin.requests).isEmpty();
    assertThat(failures).hasSize(2).first().asString().contains("after 100000 bytes of 300000");
  }

  @Test
  void theOriginContinuesWhatOthersHaveBegun() throws Exception {
    peer(Web.ending(CONTENT, HALF));
    origin.answers(WHOLE);
    fetched();
    assertThat(range(origin, 0)).isEqualTo("bytes=150000-");
    assertThat(Web.header(origin.requests.get(0), "If-Range")).isEmpty();
    assertThat(origin.requests).hasSize(1);
  }

  @Test
  void anOriginWithoutRangesBeginsAnew() throws Exception {
    peer(Web.ending(CONTENT, HALF));
    fetched();
    assertThat(origin.requests).hasSize(1);
  }

  @Test
  void anotherMachineContinuesWhatTheOriginHasBegun() throws Exception {
    origin.answers(Web.half(CONTENT, HALF, "ETag: \"v1\"", (request, out, it) -> {}));
    failure(wanted(), Reason.CONNECTION_LOST);
    var peer = peer(WHOLE);
    fetched();
    assertThat(range(peer, 0)).isEqualTo("bytes=150000-");
    assertThat(origin.requests).hasSize(1);
  }

  @Test
  void theOriginItselfStillContinuesOnlyTheSameContent() throws Exception {
    origin.answers(Web.half(CONTENT, HALF, "ETag: \"v1\"", (request, out, it) -> {}));
    failure(wanted(), Reason.CONNECTION_LOST);
    peer(Web.status(404));
    origin.answers(Web.file(CONTENT, "\"v1\""));
    fetched();
    assertThat(Web.header(origin.requests.get(1), "If-Range")).isEqualTo("\"v1\"");
  }

  @Test
  void atMostThreeMachinesAreAsked() throws Exception {
    for (int i = 0; i < 5; i++) {
      peer(Web.status(500));
    }
    fetched();
    assertThat(peers.stream().map(it -> it.requests.size())).containsExactly(1, 1, 1, 0, 0);
    again();
    assertThat(peers.stream().map(it -> it.requests.size())).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void wrongBytesAreThrownAwayAndTheirSenderIsGivenUpForAWhile() throws Exception {
    var liar = peer(Web.peer(WRONG));
    var peer = peer(WHOLE);
    fetched();
    assertThat(range(peer, 0)).isEmpty();
    assertThat(failures).containsExactly("n1 the bytes from node n1 are wrong");
    again();
    assertThat(liar.requests).hasSize(1);
    ticks.sleep(PAUSE.toNanos());
    again();
    assertThat(liar.requests).hasSize(2);
    assertThat(origin.requests).isEmpty();
  }

  @Test
  void wrongBytesOfTwoMachinesGiveUpBoth() throws Exception {
    var liar = peer(Web.ending(WRONG, HALF));
    var honest = peer(WHOLE);
    fetched();
    assertThat(failures).last().asString().endsWith("the bytes from node n1 and n2 are wrong");
    assertThat(range(origin, 0)).isEmpty();
    again();
    assertThat(liar.requests).hasSize(1);
    assertThat(honest.requests).hasSize(1);
  }

  @Test
  void theOriginIsNotBlamedForWrongBytesOfOthers() throws Exception {
    peer(Web.ending(WRONG, HALF));
    origin.answers(WHOLE);
    fetched();
    assertThat(range(origin, 0)).isEqualTo("bytes=150000-");
    assertThat(range(origin, 1)).isEmpty();
    assertThat(origin.requests).hasSize(2);
  }

  @Test
  void wrongBytesOfOthersAreRememberedByTheNextAgent() throws Exception {
    var liar = peer(Web.ending(WRONG, HALF));
    origin.answers(Web.ending(WRONG, 200_000));
    failure(wanted(), Reason.CONNECTION_LOST);
    liar.answers(Web.status(404));
    origin.answers(WHOLE);
    store = opened(0, DiskSteps.NONE);
    fetched();
    assertThat(range(origin, 1)).isEqualTo("bytes=200000-");
    assertThat(range(origin, 2)).isEmpty();
  }

  @Test
  void theOriginIsBlamedForItsOwnWrongBytes() throws Exception {
    var peer = peer(Web.status(404));
    origin.answers(Web.peer(WRONG));
    failure(wanted(), Reason.DIGEST_MISMATCH);
    assertThat(files()).isEmpty();
    assertThat(origin.requests).hasSize(1);
    assertThat(peer.requests).hasSize(1);
  }

  @Test
  void nobodyIsGivenUpForWrongBytesOfAnEarlierAttempt() throws Exception {
    origin.answers(Web.half(WRONG, HALF, "ETag: \"v0\"", (request, out, it) -> {}));
    failure(wanted(), Reason.CONNECTION_LOST);
    var peer = peer(WHOLE);
    fetched();
    assertThat(range(peer, 0)).isEqualTo("bytes=150000-");
    assertThat(range(peer, 1)).isEmpty();
    again();
    assertThat(peer.requests).hasSize(3);
    assertThat(origin.requests).hasSize(1);
  }

  @Test
  void moreBytesThanTheArchiveHasAreThrownAway() throws Exception {
    var longer = new byte[400_000];
    System.arraycopy(CONTENT, 0, longer, 0, CONTENT.length);
    peer(Web.ending(longer, 350_000));
    var peer = peer(WHOLE);
    origin.answers(Web.status(500));
    fetched();
    assertThat(range(peer, 0)).isEqualTo("bytes=350000-");
    assertThat(range(peer, 1)).isEmpty();
  }

  @Test
  void aMachineThatSendsLessThanTheRateIsGivenUp() throws Exception {
    var slow =
        peer(
            (request, out, connection) -> {
              Web.head(out, "HTTP/1.1 200 OK", "Content-Length: " + CONTENT.length);
              for (int i = 0; i < CONTENT.length; i++) {
                out.write(CONTENT, i, 1);
                out.flush();
              }
            });
    var peer =
        peer(
            (request, out, connection) -> {
              ticks.run(Duration.ZERO);
              WHOLE.to(request, out, connection);
            });
    ticks.run(Duration.ofSeconds(1));
    fetched();
    assertThat(failures).singleElement().asString().contains("less than 655360 bytes");
    assertThat(Integer.parseInt(range(peer, 0).replaceAll("\\D", ""))).isPositive();
    again();
    assertThat(slow.requests).hasSize(1);
  }

  @Test
  void aSilentMachineIsGivenUp() throws Exception {
    peer(SILENT);
    peer(
        (request, out, connection) -> {
          Web.head(out, "HTTP/1.1 200 OK", "Content-Length: " + CONTENT.length);
          SILENT.to(request, out, connection);
        });
    ticks.run(Duration.ofSeconds(3));
    fetched();
    assertThat(origin.requests).hasSize(1);
    assertThat(failures).hasSize(2);
    assertThat(failures.get(0)).contains("does not answer");
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 404})
  void aMachineThatIsBusyOrDoesNotHaveItYetIsAskedByTheNextAttempt(int status) throws Exception {
    var busy = peer(Web.status(status));
    var peer = peer(WHOLE);
    fetched();
    busy.answers(WHOLE);
    again();
    assertThat(busy.requests).hasSize(2);
    assertThat(peer.requests).hasSize(1);
  }

  @Test
  void noRedirectIsFollowed() throws Exception {
    peer(Web.status(302, "Location: " + origin.url("/secret")));
    fetched();
    assertThat(origin.requests).singleElement().asString().startsWith("GET /web.tar ");
    assertThat(failures).singleElement().asString().contains("redirects more than 0 times");
  }

  @Test
  void anArchiveThatIsTooLargeForTheLimitLeavesNothing() throws Exception {
    peer(
        (request, out, connection) ->
            Web.head(out, "HTTP/1.1 200 OK", "Content-Length: 99999999999"));
    var endless =
        peer(
            (request, out, connection) -> {
              Web.head(out, "HTTP/1.1 200 OK", "Connection: close");
              for (int i = 0; i < 200; i++) {
                out.write(new byte[100_000]);
              }
            });
    origin.answers(Web.status(404));
    failure(wanted(), Reason.NOT_FOUND);
    assertThat(files()).isEmpty();
    failure(wanted(), Reason.NOT_FOUND);
    assertThat(endless.requests).hasSize(1);
  }

  @Test
  void spaceIsCheckedBeforeAMachineSends() throws Exception {
    var peer = peer(WHOLE);
    origin.close();
    space.set(CONTENT.length + 999);
    assertThat(failure(wanted(), Reason.NO_SPACE))
        .hasMessageContaining("300000 bytes are needed, and a reserve of 1000");
    assertThat(Files.size(root.resolve("blobs/.part-" + DIGEST.hex()))).isZero();
    space.set(CONTENT.length + 1000);
    fetched();
    assertThat(peer.requests).hasSize(2);
  }

  @Test
  void spaceIsCheckedWhileAMachineSends() throws Exception {
    var large = new byte[9 << 20];
    var digest = Digest.of(Sha256.start().digest(large));
    var asked = new AtomicLong();
    var server = peer(Web.peer(large));
    ArchivePeers known =
        (any, cancellation) -> List.of(new ArchivePeers.Peer("n1", URI.create(server.url("/a"))));
    var full = new AtomicLong(2);
    FreeSpace filling = any -> asked.incrementAndGet() <= full.get() ? 1L << 40 : 1000;
    var others = new BlobStore.Others(known, PeerLimits.DEFAULT, Optional.empty());
    var blobs = root.resolve("large");
    var other = new BlobStore(blobs, Web.around(ticks, Map.of(), 0, others, filling, "boot 1"));
    origin.close();
    var wanted = WantedArchive.of(ArtifactSource.parse(origin.url("/a")), digest);
    assertThatThrownBy(() -> other.fetch(wanted, WorkProgress.NONE, new Cancellation()))
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.NO_SPACE));
    long written = Files.size(blobs.resolve(".part-" + digest.hex()));
    assertThat(written).isBetween(7L << 20, 8L << 20);
    full.set(1000);
    assertThat(other.fetch(wanted, WorkProgress.NONE, new Cancellation()).bytes())
        .isEqualTo(large.length);
    assertThat(range(server, 1)).isEqualTo("bytes=" + written + "-");
  }

  @Test
  void aFailureOfTheOriginNamesTheLastOneOfTheOthers() throws Exception {
    peer(Web.status(404));
    origin.answers(Web.status(500));
    assertThat(failure(wanted(), Reason.UNREACHABLE))
        .hasMessageContaining("cannot download " + origin.url("/web.tar"))
        .hasMessageContaining("status 500")
        .hasMessageContaining("from node n1: the server answers with the status 404");
  }

  @Test
  void aCancelledDownloadEndsAtOnce() throws Exception {
    var reached = new CountDownLatch(1);
    peer(
        (request, out, connection) -> {
          reached.countDown();
          SILENT.to(request, out, connection);
        });
    var cancellation = new Cancellation();
    var call = Web.THREADS.submit(() -> store.fetch(wanted(), WorkProgress.NONE, cancellation));
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    cancellation.cancel();
    assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.CANCELLED));
    assertThat(origin.requests).isEmpty();
  }

  @Test
  void theBandwidthOfDownloadsCountsForOtherMachinesToo() throws Exception {
    peer(WHOLE);
    store = opened(100_000, DiskSteps.NONE);
    fetched();
    assertThat(ticks.nanos() / 1e9).isBetween(2.8, 3.1);
    assertThat(failures).isEmpty();
  }

  @Test
  void anOwnLimitOfBandwidthIsNoFaultOfTheSender() throws Exception {
    var peer = peer(WHOLE);
    store = opened(1_000, DiskSteps.NONE);
    fetched();
    assertThat(ticks.nanos() / 1e9).isGreaterThan(290);
    assertThat(peer.requests).hasSize(1);
    assertThat(failures).isEmpty();
  }

  @Test
  void aFileThatIsMissingOrHasChangedComesFromAnotherMachine() throws Exception {
    var peer = peer(WHOLE);
    var file = root.resolve("web.tar");
    for (var source : List.of(file.toUri().toString(), file.toString())) {
      var wanted = WantedArchive.of(ArtifactSource.parse(source), DIGEST);
      assertThat(fetch(wanted).path()).hasBinaryContent(CONTENT);
      store.remove(DIGEST, new Cancellation());
      Files.write(file, WRONG);
      assertThat(fetch(wanted).path()).hasBinaryContent(CONTENT);
      store.remove(DIGEST, new Cancellation());
      assertThat(peer.requests).hasSize(2);
      Files.write(file, CONTENT);
      fetch(wanted);
      assertThat(peer.requests).hasSize(2);
      store.remove(DIGEST, new Cancellation());
      Files.delete(file);
      peer.requests.clear();
    }
    peer.answers(Web.status(404));
    var missing = WantedArchive.of(ArtifactSource.parse(file.toUri().toString()), DIGEST);
    failure(missing, Reason.NOT_FOUND);
  }

  @Test
  void aDirectoryNeverComesFromAnotherMachine() throws Exception {
    var peer = peer(WHOLE);
    failure(WantedArchive.of(ArtifactSource.parse(root.toString()), DIGEST), Reason.BAD_SOURCE);
    assertThat(peer.requests).isEmpty();
  }

  @Test
  void anAbandonedDownloadFromAnotherMachineLeavesNothing() throws Exception {
    peer(Web.ending(CONTENT, HALF));
    origin.close();
    failure(wanted(), Reason.UNREACHABLE);
    assertThat(files()).hasSize(2);
    assertThat(store.recover(List.of(wanted()))).isEmpty();
    assertThat(files()).hasSize(2);
    store.abandon(wanted(), new Cancellation());
    assertThat(files()).isEmpty();
  }

  @Test
  void aCrashAtAnyStepLeavesNothingOrTheArchive() throws Exception {
    peer(Web.ending(WRONG, 100_000));
    peer(Web.ending(CONTENT, 200_000));
    origin.answers(WHOLE);
    var counted = Crash.never();
    opened(root.resolve("whole"), 0, counted)
        .fetch(wanted(), WorkProgress.NONE, new Cancellation());
    assertThat(counted.steps()).isGreaterThan(FEWEST_STEPS);
    for (int step = 0; step < counted.steps(); step++) {
      var directory = root.resolve("blobs" + step);
      var crashing = opened(directory, 0, Crash.before(step));
      var thrown =
          catchThrowable(() -> crashing.fetch(wanted(), WorkProgress.NONE, new Cancellation()));
      if (thrown == null) {
        // The bytes have arrived in larger pieces than before, with fewer writes.
        assertThat(step).isGreaterThan(FEWEST_STEPS);
      } else {
        assertThat(thrown).isInstanceOf(Crash.Stopped.class);
      }
      var next = opened(directory, 0, DiskSteps.NONE);
      if (next.find(DIGEST).isPresent()) {
        assertThat(next.verify(DIGEST, new Cancellation())).isTrue();
      }
      next.recover(List.of(wanted()));
      assertThat(next.fetch(wanted(), WorkProgress.NONE, new Cancellation()).path())
          .hasBinaryContent(CONTENT);
    }
  }
}
