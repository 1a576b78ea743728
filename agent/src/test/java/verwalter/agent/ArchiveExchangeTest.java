package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.agent.FoundedCluster.await;

import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.ArchivePeers;
import verwalter.artifacts.ArtifactException;
import verwalter.artifacts.ArtifactException.Reason;
import verwalter.artifacts.ArtifactSource;
import verwalter.artifacts.Bandwidth;
import verwalter.artifacts.Blob;
import verwalter.artifacts.BlobStore;
import verwalter.artifacts.Cancellation;
import verwalter.artifacts.Digest;
import verwalter.artifacts.PeerLimits;
import verwalter.artifacts.WantedArchive;
import verwalter.artifacts.WorkProgress;
import verwalter.certificates.Peers;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.MemberOptions;
import verwalter.model.Artifact;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.model.Resource;

/**
 * Two nodes of a cluster with real certificates, of which one gets an archive from the other. Each
 * test has an archive of its own.
 */
class ArchiveExchangeTest {
  /** A web server that does not exist: the port is never open. */
  private static final String ORIGIN = "http://127.0.0.1:1/web.tar";

  @TempDir private static Path directory;
  private static FoundedCluster first;
  private static MemberIdentity second;
  private static int tests;

  private final byte[] content = new byte[3_000_000];
  private final List<String> failures = new ArrayList<>();
  private Digest digest;
  private Path archives;

  @BeforeAll
  static void found() throws Exception {
    first = new FoundedCluster(directory.resolve("n1"));
    second = joined(9);
    first
        .cluster
        .others()
        .orElseThrow()
        .archives()
        .exchange()
        .serve(
            ArchiveUploadTest.blobs(directory.resolve("archives1"), BlobStore.Others.NONE),
            new ArchiveUpload.Pace(
                new Bandwidth(0, new ArchiveUploadTest.RealTicks()), Duration.ofMinutes(1)));
  }

  private static MemberIdentity joined(int number) throws Exception {
    var files = ClusterFiles.in(directory.resolve("n" + number));
    first
        .joining(files)
        .join(
            first.address,
            first.token(1),
            new Enrollment.Machine(
                "n" + number,
                ("" + number).repeat(32),
                List.of("127.0.0.%d:8390".formatted(number))));
    return MemberIdentity.of(files.member().orElseThrow(), files, first.clock);
  }

  @BeforeEach
  void make() throws Exception {
    new Random(tests++).nextBytes(content);
    digest = ArchiveUploadTest.digest(content);
    Files.write(archiveOfFirst(), content);
    archives = Files.createDirectory(directory.resolve("archives9-" + tests));
  }

  private Path archiveOfFirst() throws Exception {
    return Files.createDirectories(directory.resolve("archives1")).resolve(digest.hex());
  }

  @AfterAll
  static void stop() throws Exception {
    first.close();
  }

  private void firstHasIt() throws Exception {
    var spec = new Artifact.Spec("n1", digest.toString());
    var status =
        new Artifact.Status(1, Artifact.State.VERIFIED, Optional.of(1L), 1, List.of(), 0, "");
    await(
        first
            .cluster
            .store()
            .put(
                Resource.of(Artifact.KIND, Artifact.name(digest.toString(), "n1"), spec)
                    .withStatus(status)));
  }

  /** The archives of the other nodes, as the second one sees them. */
  private ArchivePeers known(MemberIdentity self, Optional<String> leader) {
    var store = first.cluster.store();
    var http = first.vertx.createHttpClient(MemberOptions.http(self.tls()));
    var holders = new ArchiveHolders(store, first.clock, () -> 0);
    var archives =
        new ClusterArchives(
            http,
            store,
            self.node(),
            new ClusterArchives.Leader(holders, () -> false, () -> leader),
            first.chance::nextDouble);
    return new ArchivePeers() {
      @Override
      public List<Peer> having(Digest wanted, Cancellation cancellation)
          throws InterruptedException {
        return archives.having(wanted, cancellation);
      }

      @Override
      public void failed(Peer peer, Digest wanted, String why) {
        failures.add(peer.name() + " " + why);
      }
    };
  }

  private BlobStore blobs(MemberIdentity self) throws Exception {
    var others =
        new BlobStore.Others(
            known(self, Optional.of(first.address.toString())),
            PeerLimits.DEFAULT,
            Optional.of(self.tls().context(Peers.NODES)));
    return ArchiveUploadTest.blobs(archives, others);
  }

  private Blob fetch(MemberIdentity self, WorkProgress progress) throws Exception {
    return blobs(self)
        .fetch(
            WantedArchive.of(ArtifactSource.parse(ORIGIN), digest), progress, new Cancellation());
  }

  private List<String> having(Optional<String> leader) throws Exception {
    return known(second, leader).having(digest, new Cancellation()).stream()
        .map(ArchivePeers.Peer::name)
        .toList();
  }

  private void assertUnreachable(MemberIdentity self) {
    assertThatThrownBy(() -> fetch(self, WorkProgress.NONE))
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.UNREACHABLE));
  }

  @Test
  void aNodeGetsAnArchiveFromOneThatTheLeaderNames() throws Exception {
    firstHasIt();
    assertThat(fetch(second, WorkProgress.NONE).path()).hasBinaryContent(content);
    assertThat(failures).isEmpty();
  }

  @Test
  void aNodeThatTheLeaderDoesNotNameIsNotAsked() {
    assertUnreachable(second);
    assertThat(failures).isEmpty();
  }

  @Test
  void aNodeContinuesInTheMiddle() throws Exception {
    firstHasIt();
    Files.write(archives.resolve(".part-" + digest.hex()), Arrays.copyOf(content, 2_000_000));
    Files.writeString(archives.resolve(".from-" + digest.hex()), "\nboot\npeers\n");
    var done = new ArrayList<Long>();
    fetch(
        second,
        (bytes, total, entries) -> {
          assertThat(total).isEqualTo(OptionalLong.of(content.length));
          done.add(bytes);
        });
    assertThat(done).isSorted().allMatch(it -> it > 2_000_000).endsWith((long) content.length);
  }

  @Test
  void aDamagedArchiveOfAnotherNodeIsRefused() throws Exception {
    firstHasIt();
    content[1_000_000] ^= 1;
    Files.write(archiveOfFirst(), content);
    assertUnreachable(second);
    assertThat(failures).containsExactly("n1 the bytes from node n1 are wrong");
    assertThat(archives).isEmptyDirectory();
  }

  @Test
  void withoutALeaderOtherNodesAreAskedWhetherTheyHaveIt() throws Exception {
    assertThat(having(Optional.empty())).contains("n1").doesNotContain("n9");
    assertThat(having(Optional.of("127.0.0.1:1"))).contains("n1");
    firstHasIt();
    assertThat(having(Optional.of(first.address.toString()))).containsExactly("n1");
  }

  @Test
  void aCancelledQuestionEndsAtOnce() throws Exception {
    firstHasIt();
    var cancellation = new Cancellation();
    cancellation.cancel();
    assertThat(known(second, Optional.of(first.address.toString())).having(digest, cancellation))
        .isEmpty();
  }

  @Test
  void aNodeThatWasRemovedGetsNothing() throws Exception {
    firstHasIt();
    var removed = joined(8);
    var store = first.cluster.store();
    var node = store.get(Node.KIND, "n8").orElseThrow();
    var removal =
        new ClusterConfig.Removal("n8", Optional.of(node.meta().uid()), first.clock.instant());
    await(
        store.put(
            store
                .get(ClusterConfig.KIND, ClusterConfig.NAME)
                .orElseGet(
                    () ->
                        Resource.of(
                            ClusterConfig.KIND, ClusterConfig.NAME, ClusterConfig.Spec.DEFAULT))
                .withStatus(new ClusterConfig.Status(0, List.of(removal)))));
    assertUnreachable(removed);
    assertThat(failures)
        .anyMatch(it -> it.endsWith("from node n1: the server answers with the status 403"));
  }

  @Test
  void withoutACertificateNobodyGetsAnything() throws Exception {
    var options = new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false);
    var response =
        await(
            first
                .vertx
                .createHttpClient(options)
                .request(
                    HttpMethod.GET,
                    first.address.port(),
                    first.address.host(),
                    ArchiveExchange.path(digest))
                .compose(request -> request.send()));
    assertThat(response.statusCode()).isEqualTo(403);
  }
}
