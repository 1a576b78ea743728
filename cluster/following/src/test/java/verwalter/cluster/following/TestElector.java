package verwalter.cluster.following;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executor;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.concurrent.Loop;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.PeerSnapshot;
import verwalter.stores.cluster.StoreEnvironment;

/** The store of an elector with a server that observers connect to. */
final class TestElector {
  final ClusterStore store;
  final LogFeed feed;
  private final HttpServer server;

  TestElector(
      Vertx vertx, Path directory, SharedLog log, Loop loop, Executor executor, TestLeader leader)
      throws Exception {
    store = open(directory, log, loop, executor);
    feed = new LogFeed(loop, store.tail(), leader, () -> store.problem().isEmpty()).start();
    server =
        FollowedLogTest.result(
            vertx
                .createHttpServer(
                    MirrorSockets.limits(new HttpServerOptions()).setHost("127.0.0.1").setPort(0))
                .webSocketHandler(
                    socket ->
                        MirrorSockets.accept(socket, loop, link -> feed.accept("observer", link)))
                .listen());
  }

  static ClusterStore open(Path directory, SharedLog log, Loop loop, Executor executor)
      throws IOException {
    return ClusterStore.open(
        directory,
        log::open,
        () -> Future.<PeerSnapshot>failedFuture("there is no other elector"),
        environment(loop, executor));
  }

  /** What the stores of these tests need. */
  static StoreEnvironment environment(Loop loop, Executor executor) {
    return new StoreEnvironment(
        ClusterOptions.DEFAULT,
        loop,
        executor,
        () -> 0.5,
        InstantSource.system(),
        () -> UUID.randomUUID().toString());
  }

  String address() {
    return "127.0.0.1:" + server.actualPort();
  }

  /** Ends the server with its connections. The store remains. */
  void shutDown() throws Exception {
    FollowedLogTest.result(server.close());
  }

  void close() throws Exception {
    shutDown();
    feed.close();
    store.close();
  }
}
