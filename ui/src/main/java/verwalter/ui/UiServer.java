package verwalter.ui;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.problems.ProblemWatch;
import verwalter.ui.forward.LeaderForwarder;
import verwalter.ui.port.ClusterSetup;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Forwarding;
import verwalter.ui.port.Ports;
import verwalter.ui.port.ServerTlsFiles;

/**
 * The HTTP server of a node. Responses are made on the loop; only the transfer of bytes happens
 * elsewhere.
 *
 * <p>It can listen on several addresses; {@link #close} closes all of them.
 */
public final class UiServer {
  /** The idle timeout of a connection, in seconds. A watch lasts an hour at most. */
  private static final int IDLE = 3900;

  private final Vertx vertx;
  private final Loop loop;
  private final Routes routes;
  private final ServerLimits limits;
  private final Connections<HttpConnection> connections;

  /** Connections without a request so far. */
  private final Set<HttpConnection> silent = ConcurrentHashMap.newKeySet();

  private final List<HttpServer> servers = new ArrayList<>();
  private final List<Watch> reloads = new ArrayList<>();

  /** A server that does not listen yet. */
  public UiServer(Execution execution, Ports ports) {
    this(execution, ports, ServerLimits.STANDARD);
  }

  /** A server of a node in a cluster, which forwards requests that need the leader. */
  public UiServer(Execution execution, Ports ports, Forwarding forwarding) {
    this(execution, ports, ServerLimits.STANDARD, Optional.of(forwarding));
  }

  UiServer(Execution execution, Ports ports, ServerLimits limits) {
    this(execution, ports, limits, Optional.empty());
  }

  private UiServer(
      Execution execution, Ports ports, ServerLimits limits, Optional<Forwarding> forwarding) {
    this.vertx = execution.vertx();
    this.loop = execution.loop();
    this.limits = limits;
    this.connections = new Connections<>(limits.connectionsOfAddress(), limits.connections());
    this.routes = new Routes(execution, ports, limits, forwarding);
  }

  /** Adds the routes of clusters. Call it before {@link #start}. */
  public UiServer withCluster(ClusterSetup setup) {
    routes.cluster(setup);
    return this;
  }

  /**
   * Listens on an address. Returns the port, which the system chooses if it is 0. Fails if the
   * address is in use or does not belong to this machine.
   */
  public Future<Integer> start(String host, int port) {
    return start(SocketAddress.inetSocketAddress(port, host), options());
  }

  /**
   * Listens on an address with TLS. Fails also if the files cannot be used. Later changes of the
   * files are used for new connections; {@code problems} receives why files cannot be used.
   */
  public Future<Integer> start(
      String host, int port, ServerTlsFiles files, Consumer<String> problems) {
    var tls = new TlsReload(files, loop, problems);
    return loop.offload(tls::read)
        .compose(
            options ->
                start(
                    SocketAddress.inetSocketAddress(port, host),
                    options()
                        .setSsl(true)
                        .setKeyCertOptions(options.getKeyCertOptions())
                        .setTrustOptions(options.getTrustOptions())
                        .setClientAuth(options.getClientAuth())))
        .onSuccess(any -> loop.execute(() -> follow(tls)));
  }

  /**
   * Listens on a unix socket. Fails if the file exists, or its path is too long. The caller sets
   * the mode of the file.
   */
  public Future<Void> startSocket(Path file) {
    return start(SocketAddress.domainSocketAddress(file.toString()), options()).mapEmpty();
  }

  private void follow(TlsReload tls) {
    var server = servers.get(servers.size() - 1);
    reloads.add(tls.follow(server::updateSSLOptions));
  }

  private Future<Integer> start(SocketAddress address, HttpServerOptions options) {
    var started = Promise.<Integer>promise();
    loop.execute(() -> listen(address, options).onComplete(started));
    return started.future();
  }

  private static HttpServerOptions options() {
    return new HttpServerOptions()
        .setHttp2ClearTextEnabled(false)
        .setCompressionSupported(true)
        .setCompressionLevel(1)
        .setMaxInitialLineLength(16 * 1024)
        .setMaxHeaderSize(32 * 1024)
        .setIdleTimeout(IDLE);
  }

  private Future<Integer> listen(SocketAddress address, HttpServerOptions options) {
    var listening =
        vertx.createHttpServer(options).connectionHandler(this::admit).requestHandler(this::answer);
    var started = Promise.<Integer>promise();
    listening
        .listen(address)
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      if (done.succeeded()) {
                        opened(done.result());
                        started.complete(done.result().actualPort());
                      } else {
                        started.fail(done.cause());
                      }
                    }));
    return started.future();
  }

  private void opened(HttpServer server) {
    if (servers.isEmpty()) {
      routes.gatekeeper().start();
      routes.problems().start();
      routes.page().start();
    }
    servers.add(server);
  }

  /**
   * Answers a request that another HTTP server has accepted, such as the one that nodes forward
   * requests to. Call on the event loop of the request, before its body is read.
   */
  public void handle(HttpServerRequest request) {
    routes.router().handle(request);
  }

  /** Every route as a method, a blank and a path, such as {@code GET /healthz}; sorted by path. */
  public List<String> routes() {
    return routes.names();
  }

  /**
   * The problems that the server shows. They follow the store from the first {@link #start} to
   * {@link #close}, on the loop.
   */
  public ProblemWatch problems() {
    return routes.problems();
  }

  private void admit(HttpConnection connection) {
    connection.closeHandler(
        closed -> {
          silent.remove(connection);
          connections.closed(connection);
        });
    var address = String.valueOf(connection.remoteAddress().hostAddress());
    connections.opened(connection, address).ifPresent(HttpConnection::close);
    silent.add(connection);
    vertx.setTimer(
        limits.firstRequest().toMillis(),
        late -> {
          if (silent.remove(connection)) {
            connection.close();
          }
        });
  }

  /** The router refuses some requests before its first handler, so responses are watched here. */
  private void answer(HttpServerRequest request) {
    var connection = request.connection();
    silent.remove(connection);
    connections.began(connection);
    request.response().bodyEndHandler(ended -> connections.ended(connection));
    routes.router().handle(request);
  }

  /** Stops listening and closes every connection. Closing twice has no effect. */
  public Future<Void> close() {
    var closed = Promise.<Void>promise();
    loop.execute(
        () -> {
          routes.forwarder().ifPresent(LeaderForwarder::close);
          routes.page().close();
          routes.problems().close();
          routes.gatekeeper().close();
          reloads.forEach(Watch::close);
          reloads.clear();
          var closing = Future.join(servers.stream().map(HttpServer::close).toList());
          servers.clear();
          closing.<Void>mapEmpty().onComplete(closed);
        });
    return closed.future();
  }
}
