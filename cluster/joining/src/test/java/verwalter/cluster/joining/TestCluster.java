package verwalter.cluster.joining;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** A cluster whose first node has a real server on a loopback port. */
final class TestCluster {
  static final String MACHINE = "a".repeat(32);

  final Vertx vertx = Vertx.vertx();
  final SecureRandom chance = new SecureRandom();
  final MemoryStore store =
      new MemoryStore(
          InstantSource.system(),
          () -> UUID.randomUUID().toString(),
          new HistoryLimit(1000, 1 << 20));
  final Set<String> electors = new HashSet<>(Set.of("n1"));
  final Map<String, Place> places = new HashMap<>();
  volatile Instant now = Instant.parse("2026-11-22T12:00:00Z");
  volatile boolean leads = true;
  final ClusterMember first;
  final ClusterServer server;
  final int port;
  private final Path directory;

  /** The files of one node. */
  record Place(PkiFiles files, Pki pki, Enrollment enrollment) {}

  TestCluster(Path directory) throws Exception {
    this.directory = directory;
    var place = place("n1");
    first =
        place.enrollment().found(new Enrollment.Machine("n1", MACHINE, List.of("127.0.0.1:8380")));
    await(
        store.put(
            Resource.of(Node.KIND, "n1", new Node.Spec(false))
                .withStatus(status("127.0.0.1:8380"))));
    server =
        server(
                new StoredState(
                    store,
                    () -> electors,
                    () -> electors,
                    () -> leads ? OptionalLong.of(store.epoch()) : OptionalLong.empty(),
                    () -> leads ? Optional.empty() : Optional.of("127.0.0.2:8380")))
            .answer(
                "/question",
                JoiningTest.Question.class,
                (peer, question) ->
                    Future.succeededFuture(
                        new JoiningTest.Question(peer.title(), question.number() + 1)))
            .route(
                "/echo/",
                (peer, request) -> request.response().end("\"%s\"".formatted(peer.title())));
    port = await(server.start("127.0.0.1", 0));
  }

  private ClusterServer server(StoredState state) throws IOException {
    var pki = place("n1").pki();
    var desk = new JoinDesk(first.cluster(), store, state, pki, () -> now, chance);
    return new ClusterServer(vertx, new ContextLoop(vertx), () -> now, tls("n1"), pki, desk);
  }

  /** The address of a member that does not lead. */
  Address follower(Optional<String> leader) throws Exception {
    var follower =
        server(
            new StoredState(
                store, () -> electors, () -> electors, OptionalLong::empty, () -> leader));
    return new Address("127.0.0.1", await(follower.start("127.0.0.1", 0)));
  }

  private static Node.Status status(String address) {
    return new Node.Status(
        0,
        List.of(),
        Map.of(Node.MACHINE_ID, MACHINE, StoredState.ADDRESSES, address),
        new Node.Capacity(1, 1),
        Optional.empty(),
        new Node.Roles(0, 0, 0),
        List.of());
  }

  Place place(String node) throws IOException {
    var known = places.get(node);
    if (known != null) {
      return known;
    }
    var files = PkiFiles.in(directory.resolve(node));
    var pki = new Pki(PkiFiles.in(directory.resolve(node).resolve("pki")));
    var place = new Place(files, pki, new Enrollment(vertx, files, pki, () -> now, chance));
    places.put(node, place);
    return place;
  }

  ClusterTls tls(String node) throws IOException {
    return new ClusterTls(place(node).pki(), first.cluster(), () -> now);
  }

  Address address() {
    return new Address("127.0.0.1", port);
  }

  /** A new token for any node. */
  JoinTokenText token(int uses) throws Exception {
    return token(uses, Optional.empty());
  }

  JoinTokenText token(int uses, Optional<String> name) throws Exception {
    var authority = place("n1").pki().authority().orElseThrow().certificate();
    var text = JoinTokenText.create(TrustBundle.fingerprint(authority), chance);
    await(
        store.put(
            Resource.of(
                JoinToken.KIND,
                text.id(),
                new JoinToken.Spec(
                    JoinToken.Purpose.NODE,
                    name,
                    text.hash(),
                    uses,
                    now.plusSeconds(3600),
                    "tim"))));
    return text;
  }

  Future<ClusterMember> join(String node, String machine, JoinTokenText token) throws Exception {
    return place(node)
        .enrollment()
        .join(
            address(),
            token,
            new Enrollment.Machine(node, machine, List.of("127.0.0.1:9" + node.substring(1))));
  }

  /** The status of a token. */
  JoinToken.Status used(JoinTokenText token) {
    return store
        .get(JoinToken.KIND, token.id())
        .flatMap(Resource::status)
        .orElse(JoinToken.Status.UNUSED);
  }

  static CertifiedKey authority(Pki pki) {
    try {
      return pki.authority().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  void close() throws Exception {
    await(server.close());
    await(vertx.close());
  }
}
