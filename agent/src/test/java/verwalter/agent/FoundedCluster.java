package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.ClusterView;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.sides.SideOptions;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.ui.UiServer;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;

/** The first node of a cluster, with its real servers on loopback ports. It leads. */
final class FoundedCluster {
  static final String MACHINE = "a".repeat(32);

  final Vertx vertx = Vertx.vertx();
  final SecureRandom chance = new SecureRandom();
  final InstantSource clock = InstantSource.system();
  final ClusterMember member;
  final ClusterFiles files;
  final Address address;
  final NodeCluster cluster;
  private final OpenParts parts = new OpenParts();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  FoundedCluster(Path storage) throws Exception {
    files = ClusterFiles.in(storage);
    address = new Address("127.0.0.1", freePorts());
    member =
        joining(files)
            .found(
                new Enrollment.Machine("n1", MACHINE, List.of(address.toString())),
                Optional.empty());
    var own =
        LocalStore.open(
            storage.resolve("store"),
            Options.DEFAULT,
            threads,
            clock,
            () -> UUID.randomUUID().toString());
    parts.add("store", own);
    cluster =
        ClusterNode.open(
            new ClusterEnvironment(
                vertx,
                name -> new ContextLoop(vertx),
                threads,
                Thread::new,
                clock,
                chance,
                Failover.normal,
                parts,
                () -> {}),
            files,
            member,
            own,
            new ClusterView.Member(MACHINE, "n1", "n1", Optional.empty()),
            SideOptions.DEFAULT);
    lead();
    await(cluster.store().put(node()));
    serve();
  }

  Joining joining(ClusterFiles place) throws IOException {
    return new Joining(place, vertx, clock, chance, line -> {});
  }

  private Resource<Node.Spec, Node.Status> node() {
    return Resource.of(Node.KIND, "n1", new Node.Spec(false))
        .withStatus(
            new Node.Status(
                0,
                List.of(),
                Map.of(Node.MACHINE_ID, MACHINE, StoredState.ADDRESSES, address.toString()),
                new Node.Capacity(1, 1),
                Optional.empty(),
                new Node.Roles(0, 0, 0),
                List.of()));
  }

  private void lead() throws Exception {
    var led = new CompletableFuture<Long>();
    cluster
        .leadership()
        .stand(
            new ContextLoop(vertx),
            new Leadership.Candidate() {
              @Override
              public void lead(Term term) {
                cluster
                    .store()
                    .beginEpoch(Math.max(term.epoch(), cluster.store().epoch() + 1))
                    .onSuccess(led::complete)
                    .onFailure(led::completeExceptionally);
              }

              @Override
              public Future<Void> stop() {
                return Future.succeededFuture();
              }
            });
    cluster.leading().begin(led.get(60, TimeUnit.SECONDS));
  }

  private void serve() throws Exception {
    var self = new ClusterView.Self("n1", MACHINE, "n1", "1", "common", Path.of("/"), List.of());
    var view =
        new AgentView(
            self,
            false,
            cluster.leadership(),
            cluster.members(),
            cluster.epoch(),
            () -> Future.succeededFuture(Map.of()),
            Map::of);
    var execution = new Execution(vertx, new ContextLoop(vertx), Clock.systemUTC(), new Random(1));
    cluster
        .serving()
        .start(
            new UiServer(
                execution,
                Ports.of(cluster.everything(), view),
                cluster.forwarding().orElseThrow()));
  }

  /** The first of four free ports in a row. */
  static int freePorts() throws IOException {
    for (int first = 32_100 + (int) (ProcessHandle.current().pid() % 150) * 4; ; first += 4) {
      if (isFree(first) && isFree(first + 1) && isFree(first + 2) && isFree(first + 3)) {
        return first;
      }
      if (first > 32_760) {
        throw new IOException("no free ports");
      }
    }
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** A new token for nodes. */
  JoinTokenText token(int uses) throws Exception {
    var authority = files.pki().authority().orElseThrow().certificate();
    var text = JoinTokenText.create(TrustBundle.fingerprint(authority), chance);
    await(
        cluster
            .store()
            .put(
                Resource.of(
                    JoinToken.KIND,
                    text.id(),
                    new JoinToken.Spec(
                        JoinToken.Purpose.NODE,
                        Optional.empty(),
                        text.hash(),
                        uses,
                        clock.instant().plusSeconds(3600),
                        "tim"))));
    return text;
  }

  static <T> T await(Future<T> future) throws Exception {
    return Waiting.forResult(future);
  }

  void close() throws Exception {
    parts.close();
    await(vertx.close());
    threads.shutdownNow();
  }
}
