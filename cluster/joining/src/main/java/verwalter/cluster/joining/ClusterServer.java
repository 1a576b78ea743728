package verwalter.cluster.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.ReplacedAuthority;
import verwalter.certificates.RevokedException;
import verwalter.concurrent.Loop;

/**
 * The HTTPS server at the cluster address of a node. Every client shows a certificate of the
 * cluster, except a machine that joins. Certificates are checked again for each request.
 */
public final class ClusterServer {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterServer.class);

  static final String JOIN = "/cluster/v1/join";
  static final String CERTIFICATE = "/cluster/v1/certificate";
  static final String RENAME = "/cluster/v1/rename";
  static final String AUTHORITY = "/cluster/v1/authority";
  static final String NEXT_AUTHORITY = "/cluster/v1/authority/next";
  static final String PROGRESS = "/cluster/v1/authority/progress";
  static final String TRUST = "/cluster/v1/trust";

  private static final int MOST_CONNECTIONS = 4096;
  private static final int MOST_SOURCES = 1024;
  private static final int JOINS_OF_SOURCE = 10;
  private static final int JOINS = 100;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** How long a client may take to send the body of a request of this package. */
  private static final Duration BODY = Duration.ofSeconds(10);

  /** How long requests may go on whose client is not trusted any more. */
  private static final Duration SHUTDOWN = Duration.ofSeconds(10);

  /** The limit of a message on a WebSocket, in bytes; more than the largest object. */
  private static final int MOST_MESSAGE = 4 << 20;

  /** The idle timeout of a connection, in seconds. A watch lasts an hour at most. */
  private static final int IDLE = 3900;

  private final Vertx vertx;
  private final Loop loop;
  private final InstantSource clock;
  private final ClusterTls tls;
  private final Pki pki;
  private final JoinDesk desk;
  private final Map<String, PeerHandler> calls = new HashMap<>();
  private final Map<String, PeerHandler> routes = new LinkedHashMap<>();
  private final List<HttpServer> servers = new ArrayList<>(); // on the loop
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private final RateLimit ofSource = new RateLimit(JOINS_OF_SOURCE, MINUTE, MOST_SOURCES);
  private final RateLimit ofAll = new RateLimit(JOINS, MINUTE, 1);

  /**
   * @param loop the loop of the desk and its store
   * @param clock limits the rate of joins; called on the loop
   */
  public ClusterServer(
      Vertx vertx, Loop loop, InstantSource clock, ClusterTls tls, Pki pki, JoinDesk desk) {
    this.vertx = vertx;
    this.loop = loop;
    this.clock = clock;
    this.tls = tls;
    this.pki = pki;
    this.desk = desk;
  }

  /**
   * Answers the messages that members send to a path with {@link ClusterClient#send}. Malformed
   * ones are refused. Call it before {@link #start}.
   *
   * @param type the record of a message
   */
  public <Q> ClusterServer answer(String path, Class<Q> type, PeerCall<Q> call) {
    calls.put(
        path,
        (peer, request) ->
            receive(
                request,
                HttpMethod.POST,
                body -> call.call(peer, read(body, type)).map(Messages::text)));
    return this;
  }

  /** Adds a handler for the paths that begin with a prefix. Call it before {@link #start}. */
  public ClusterServer route(String prefix, PeerHandler handler) {
    routes.put(prefix, handler);
    return this;
  }

  /**
   * Listens on an address. Returns the port, which the system chooses if it is 0. Fails if the
   * address is in use or does not belong to this machine.
   */
  public Future<Integer> start(String host, int port) {
    var options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setSsl(true)
            .setSslEngineOptions(new FullHandshakes())
            .setKeyCertOptions(KeyCertOptions.wrap(tls.keys()))
            .setTrustOptions(TrustOptions.wrap(tls.trust(Peers.ANY)))
            .setClientAuth(ClientAuth.REQUEST)
            .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL))
            .setMaxInitialLineLength(16 * 1024)
            .setMaxHeaderSize(32 * 1024)
            .setIdleTimeout(IDLE)
            .setMaxWebSocketMessageSize(MOST_MESSAGE);
    var started = Promise.<Integer>promise();
    loop.execute(
        () ->
            vertx
                .createHttpServer(options)
                .connectionHandler(this::admit)
                .requestHandler(this::answer)
                .listen()
                .map(
                    server -> {
                      loop.execute(() -> servers.add(server));
                      return server.actualPort();
                    })
                .onComplete(started));
    return started.future();
  }

  private void admit(HttpConnection connection) {
    connection.closeHandler(closed -> connections.remove(connection));
    connections.add(connection);
    if (connections.size() > MOST_CONNECTIONS) {
      connection.close();
    }
  }

  /**
   * Closes the connections of clients whose certificates are not trusted any more, when their
   * requests in progress have ended. Thread-safe.
   */
  public void closeUntrusted() {
    for (var each : connections) {
      try {
        if (each.sslSession() != null) {
          tls.client((X509Certificate) each.sslSession().getPeerCertificates()[0]);
        }
      } catch (SSLPeerUnverifiedException machineThatJoins) {
        LOG.debug("a connection without a certificate stays open");
      } catch (CertificateException untrusted) {
        each.shutdown(SHUTDOWN.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private void answer(HttpServerRequest request) {
    if (request.path().equals(JOIN)) {
      receive(request, HttpMethod.POST, body -> join(request, body));
      return;
    }
    try {
      var peer = peer(request);
      switch (request.path()) {
        case CERTIFICATE -> receive(request, HttpMethod.POST, body -> renew(peer, body));
        case RENAME -> receive(request, HttpMethod.POST, body -> rename(peer, body));
        case AUTHORITY -> receive(request, HttpMethod.GET, body -> authority(peer));
        case NEXT_AUTHORITY -> receive(request, HttpMethod.GET, body -> nextAuthority(peer));
        case PROGRESS -> receive(request, HttpMethod.POST, body -> progress(peer, body));
        case TRUST -> receive(request, HttpMethod.GET, body -> trust());
        default -> route(request).handle(peer, request);
      }
    } catch (Refused refused) {
      refuse(request, refused);
    }
  }

  private PeerHandler route(HttpServerRequest request) throws Refused {
    var call = calls.get(request.path());
    if (call != null) {
      return call;
    }
    for (var each : routes.entrySet()) {
      if (request.path().startsWith(each.getKey())) {
        return each.getValue();
      }
    }
    throw new Refused(Refused.Reason.UNKNOWN, "no such path: " + request.path(), "");
  }

  private CertifiedName peer(HttpServerRequest request) throws Refused {
    try {
      var certificate = (X509Certificate) request.sslSession().getPeerCertificates()[0];
      var client = tls.client(certificate);
      if (tls.isOfOtherAuthority(certificate) && request.getHeader("Upgrade") == null) {
        request.response().putHeader("Connection", "close");
      }
      return client;
    } catch (SSLPeerUnverifiedException e) {
      throw new Refused(
          Refused.Reason.FORBIDDEN,
          "this needs a client certificate of the cluster",
          "verwalter join HOST --token T");
    } catch (ReplacedAuthority e) {
      request.connection().close(); // the client may have another certificate now
      throw new Refused(Refused.Reason.FORBIDDEN, String.valueOf(e.getMessage()), "");
    } catch (RevokedException e) {
      throw new Refused(
          Refused.Reason.REMOVED,
          String.valueOf(e.getMessage()),
          "verwalter join HOST --token T, with a new token");
    } catch (CertificateException e) {
      throw new Refused(
          Refused.Reason.FORBIDDEN,
          String.valueOf(e.getMessage()),
          "verwalter join HOST --token T");
    }
  }

  /** Handles a whole body on the loop. */
  @FunctionalInterface
  private interface Receiver {
    Future<String> receive(String body) throws Refused;
  }

  private void receive(HttpServerRequest request, HttpMethod method, Receiver receiver) {
    if (!request.method().equals(method)) {
      refuse(
          request,
          new Refused(Refused.Reason.INVALID, "%s takes %s".formatted(request.path(), method), ""));
      return;
    }
    long timer = vertx.setTimer(BODY.toMillis(), late -> request.connection().close());
    LimitedBody.of(request, Messages.MOST_BYTES)
        .onSuccess(
            body -> {
              vertx.cancelTimer(timer);
              loop.execute(() -> handle(request, receiver, body.toString()));
            })
        .onFailure( // the timer closes the connection; until then the rest is skipped
            failure ->
                refuse(
                    request,
                    new Refused(Refused.Reason.INVALID, String.valueOf(failure.getMessage()), "")));
  }

  private static void handle(HttpServerRequest request, Receiver receiver, String body) {
    Future<String> answer;
    try {
      answer = receiver.receive(body);
    } catch (Refused refused) {
      answer = Future.failedFuture(refused);
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onSuccess(text -> send(request, 200, text)).onFailure(e -> fail(request, e));
  }

  private static void fail(HttpServerRequest request, Throwable failure) {
    if (failure instanceof Refused refused) {
      refuse(request, refused);
    } else {
      LOG.error("{} {} failed", request.method(), request.path(), failure);
      refuse(
          request,
          new Refused(
              Refused.Reason.FAILED, "internal error; see the log of the contacted node", ""));
    }
  }

  private static void refuse(HttpServerRequest request, Refused refused) {
    send(request, refused.reason().status(), Messages.text(refused.message()));
  }

  private static void send(HttpServerRequest request, int status, String text) {
    var response = request.response();
    if (!response.ended() && !response.closed()) {
      response
          .setStatusCode(status)
          .putHeader("Content-Type", "application/json")
          .putHeader("Cache-Control", "no-store")
          .end(text + "\n");
    }
  }

  private Future<String> join(HttpServerRequest request, String body) throws Refused {
    var now = clock.instant();
    var source =
        Optional.ofNullable(request.remoteAddress()).map(it -> it.hostAddress()).orElse("");
    if (!ofSource.admits(source, now) || !ofAll.admits("", now)) {
      throw new Refused(
          Refused.Reason.TOO_MANY, "too many machines try to join now; try again in a minute", "");
    }
    return desk.join(read(body, JoinRequest.class)).map(Messages::text);
  }

  private Future<String> renew(CertifiedName peer, String body) throws Refused {
    return Future.succeededFuture(
        Messages.text(desk.renew(peer, read(body, RenewalRequest.class))));
  }

  private Future<String> rename(CertifiedName peer, String body) throws Refused {
    return desk.rename(peer, read(body, RenameRequest.class)).map(Messages::text);
  }

  private Future<String> authority(CertifiedName peer) throws Refused {
    return Future.succeededFuture(Messages.text(new PemMessage(desk.authority(peer).pem())));
  }

  private Future<String> nextAuthority(CertifiedName peer) throws Refused {
    return Future.succeededFuture(Messages.text(new PemMessage(desk.nextAuthority(peer).pem())));
  }

  private Future<String> progress(CertifiedName peer, String body) throws Refused {
    desk.progress(peer, read(body, ProgressReport.class));
    return trust();
  }

  private Future<String> trust() throws Refused {
    try {
      return Future.succeededFuture(Messages.text(new PemMessage(pki.trust().pem())));
    } catch (IOException e) {
      throw new Refused(Refused.Reason.FAILED, String.valueOf(e.getMessage()), "");
    }
  }

  private static <T> T read(String body, Class<T> type) throws Refused {
    try {
      return Messages.read(body, type);
    } catch (JsonProcessingException e) {
      throw new Refused(
          Refused.Reason.INVALID, "the request is malformed: " + e.getOriginalMessage(), "");
    }
  }

  /** Stops listening and closes every connection. Closing twice has no effect. */
  public Future<Void> close() {
    var closed = Promise.<Void>promise();
    loop.execute(
        () -> {
          var closing = Future.join(servers.stream().map(HttpServer::close).toList());
          servers.clear();
          closing.<Void>mapEmpty().onComplete(closed);
        });
    return closed.future();
  }
}
