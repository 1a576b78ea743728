package verwalter.ui;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import verwalter.stores.api.Loop;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.port.Check;
import verwalter.ui.port.ClusterView;

/**
 * The HTTP server of a node. Answers are made on the loop; only bytes move elsewhere.
 *
 * <p>Start it on as many addresses as wanted; {@link #close} ends them all.
 */
public final class UiServer {
  /** Connections one address may have at a time (verwalter.md 6.1). */
  private static final int MOST_CONNECTIONS = 500;

  private final Vertx vertx;
  private final Loop loop;
  private final Routes routes;
  private final AtomicInteger connections = new AtomicInteger();
  private final List<HttpServer> servers = new ArrayList<>();

  /**
   * A server that listens nowhere yet.
   *
   * @param loop where the store is asked and everything is decided
   * @param checks what must be so before this node is ready; asked on the loop
   * @param metrics further metrics as OpenMetrics text without its end mark; asked on the loop
   */
  public UiServer(
      Vertx vertx,
      ObjectStore store,
      Loop loop,
      ClusterView cluster,
      InstantSource clock,
      Supplier<List<Check>> checks,
      Supplier<String> metrics) {
    this.vertx = vertx;
    this.loop = loop;
    this.routes = new Routes(vertx, store, loop, cluster, clock, checks, metrics);
  }

  /**
   * Listens; gives the port, which is another than asked for where that was 0. Fails if the address
   * is in use or not ours.
   */
  public Future<Integer> start(String host, int port) {
    var started = Promise.<Integer>promise();
    loop.execute(() -> listen(host, port).onComplete(started));
    return started.future();
  }

  private Future<Integer> listen(String host, int port) {
    var options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setHttp2ClearTextEnabled(false)
            .setCompressionSupported(true)
            .setCompressionLevel(1)
            .setMaxInitialLineLength(16 * 1024)
            .setMaxHeaderSize(32 * 1024)
            .setIdleTimeout(3900);
    var listening =
        vertx
            .createHttpServer(options)
            .connectionHandler(this::admit)
            .requestHandler(routes.router());
    return listening
        .listen()
        .map(
            server -> {
              loop.execute(() -> opened(server));
              return server.actualPort();
            });
  }

  private void opened(HttpServer server) {
    if (servers.isEmpty()) {
      routes.page().start();
    }
    servers.add(server);
  }

  private void admit(HttpConnection connection) {
    connection.closeHandler(closed -> connections.decrementAndGet());
    if (connections.incrementAndGet() > MOST_CONNECTIONS) {
      connection.close();
    }
  }

  /** Stops listening and ends every connection. Closing twice is harmless. */
  public Future<Void> close() {
    var closed = Promise.<Void>promise();
    loop.execute(
        () -> {
          routes.page().close();
          var closing = Future.join(servers.stream().map(HttpServer::close).toList());
          servers.clear();
          closing.<Void>mapEmpty().onComplete(closed);
        });
    return closed.future();
  }
}
