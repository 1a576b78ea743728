package verwalter.cli;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import verwalter.access.TokenText;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.AccessToken;
import verwalter.model.Decisions;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.UiServer;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.ClusterSetup;
import verwalter.ui.port.DeploymentHistory;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;
import verwalter.ui.port.ProcessLogs;
import verwalter.ui.port.Queries;

/** The server of {@code ui} over a store in memory, in this process, as a single node. */
final class RealServer implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final Loop loop = new ContextLoop(vertx);
  private final MemoryStore store =
      new MemoryStore(InstantSource.system(), () -> UUID.randomUUID().toString());
  private final UiServer server;
  private final int port;

  RealServer() {
    this(Decisions.NONE);
  }

  RealServer(Decisions decisions) {
    this(decisions, DeploymentHistory.NONE);
  }

  RealServer(Decisions decisions, DeploymentHistory deployments) {
    this(decisions, deployments, AccessPort.OPERATORS, Optional.empty(), ProcessLogs.NONE);
  }

  /** A server with these callers. */
  RealServer(AccessPort access) {
    this(Decisions.NONE, DeploymentHistory.NONE, access, Optional.empty(), ProcessLogs.NONE);
  }

  RealServer(ClusterSetup setup) {
    this(
        Decisions.NONE,
        DeploymentHistory.NONE,
        AccessPort.OPERATORS,
        Optional.of(setup),
        ProcessLogs.NONE);
  }

  RealServer(ProcessLogs logs) {
    this(Decisions.NONE, DeploymentHistory.NONE, AccessPort.OPERATORS, Optional.empty(), logs);
  }

  private RealServer(
      Decisions decisions,
      DeploymentHistory deployments,
      AccessPort access,
      Optional<ClusterSetup> setup,
      ProcessLogs logs) {
    server =
        new UiServer(
            new Execution(vertx, loop, InstantSource.system(), new Random(1)),
            Ports.of(store, alone())
                .with(decisions, Queries.NONE, deployments)
                .with(access)
                .with(logs));
    setup.ifPresent(server::withCluster);
    port = await(server.start("127.0.0.1", 0));
  }

  /** Listens on a unix socket too. */
  void listen(Path socket) {
    await(server.startSocket(socket));
  }

  /** The text of a token of an admin. */
  String adminToken() {
    var token = TokenText.create("boss", new Random(7));
    if (list(AccessToken.KIND).stream().anyMatch(it -> it.name().equals("boss"))) {
      return token.text();
    }
    put(
        Resource.of(
            AccessToken.KIND,
            "boss",
            new AccessToken.Spec(
                "boss",
                List.of("verwalter:admin"),
                token.hash(),
                InstantSource.system().instant().plusSeconds(3600))));
    return token.text();
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Puts an object as a controller would. */
  <S, T> Resource<S, T> put(Resource<S, T> resource) {
    var done = Promise.<Resource<S, T>>promise();
    loop.execute(() -> store.put(resource).onComplete(done));
    return await(done.future());
  }

  /** Writes the status of an object as a controller would, from the loop of the server. */
  <S, T> void putStatusLater(Resource<S, T> resource) {
    store.putStatus(resource);
  }

  /** Writes the status of an object as a controller would. */
  <S, T> Resource<S, T> putStatus(Resource<S, T> resource) {
    var done = Promise.<Resource<S, T>>promise();
    loop.execute(() -> store.putStatus(resource).onComplete(done));
    return await(done.future());
  }

  /** Follows the objects of a kind as a controller does. */
  <S, T> void watch(Kind<S, T> kind, Consumer<Resource<S, T>> controller) {
    loop.execute(
        () ->
            store.watch(
                kind,
                loop,
                change -> {
                  if (change instanceof Change.Put<S, T> put) {
                    controller.accept(put.resource());
                  }
                }));
  }

  /** All objects of a kind. */
  <S, T> List<Resource<S, T>> list(Kind<S, T> kind) {
    var done = Promise.<List<Resource<S, T>>>promise();
    loop.execute(() -> done.complete(store.list(kind)));
    return await(done.future());
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private static <V> V await(Future<V> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static final Map<String, Object> NODE =
      Map.of(
          "name",
          "n1",
          "cpus",
          2L,
          "cpu_percent",
          12.5,
          "load_avg_1min",
          0.5,
          "memory_used_bytes",
          3L << 20,
          "memory_bytes",
          4L << 20);

  private static final Map<String, Object> IDLE =
      Map.of("name", "web/a.0", "node", "n1", "pid", 11L, "memory_bytes", 3L << 19, "restarts", 3L);

  private static final Map<String, Object> BUSY =
      Map.of(
          "name",
          "web/b.0",
          "node",
          "n1",
          "pid",
          12L,
          "cpu_percent",
          99.9,
          "memory_bytes",
          2L << 20,
          "restarts",
          0L);

  private static ClusterView alone() {
    var self =
        new ClusterView.Self(
            "n1", "a1", "n1.example", "0.1.0", "common", Path.of("/etc/verwalter"), List.of());
    return new ClusterView() {
      @Override
      public Self self() {
        return self;
      }

      @Override
      public Future<Map<String, Object>> measured() {
        return Future.succeededFuture(
            Map.of("nodes", List.of(NODE), "processes", List.of(IDLE, BUSY)));
      }

      @Override
      public Optional<Member> leader() {
        return Optional.of(new Member(self.id(), self.name(), self.hostname(), Optional.empty()));
      }

      @Override
      public long epoch() {
        return 1;
      }
    };
  }
}
