package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.ClusterTls;
import verwalter.cluster.forks.SideAnswer;
import verwalter.cluster.forks.SideMessage;
import verwalter.cluster.forks.SidePeers;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.LimitedBody;
import verwalter.cluster.joining.StoredState;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/**
 * Exchanges messages with the other members of a side over the cluster port. Certificates prove
 * which node has sent a message, and which one answers. Thread-safe.
 */
final class SideExchange implements SidePeers {
  /** The path at the cluster port. */
  static final String PATH = "/cluster/v1/side";

  /** The limit of a message, in bytes, for the sender and the receiver. */
  static final int MOST = (int) Math.min(32 << 20, Runtime.getRuntime().maxMemory() / 16);

  /** A message with more bytes is received only while few others are. */
  private static final int LARGE = 64 << 10;

  /** The number of large messages that are received at once. */
  private static final int MOST_LARGE = 2;

  /** The limit of a whole exchange: connecting, the message, and the answer. */
  static final Duration LIMIT = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(SideExchange.class);

  /** The limit of an answer, in bytes. */
  private static final int ANSWER = 16;

  private final HttpClient http;
  private final Loop loop;
  private final ObjectStore log;
  private final Naming naming;
  private final Duration limit;
  private final Permits large = new Permits(MOST_LARGE);
  private volatile @Nullable Receiver receiver;

  /** Says which node is at the other end of a connection. */
  @FunctionalInterface
  interface Naming {
    /**
     * The name of the node.
     *
     * @throws IOException if it is no node of the cluster
     */
    String node(HttpConnection connection) throws IOException;
  }

  /**
   * Creates an exchange without a receiver.
   *
   * @param log has the Nodes with their addresses
   * @param limit of a whole exchange
   */
  SideExchange(HttpClient http, Loop loop, ObjectStore log, Naming naming, Duration limit) {
    this.http = http;
    this.loop = loop;
    this.log = log;
    this.naming = naming;
    this.limit = limit;
  }

  /** Names nodes by their certificates. */
  static Naming certified(ClusterTls tls) {
    return connection -> {
      try {
        var session = connection.sslSession();
        if (session == null
            || !(session.getPeerCertificates()[0] instanceof X509Certificate certificate)) {
          throw new IOException("the connection has no certificate");
        }
        var name = tls.client(certificate);
        if (name.type() != CertifiedName.Type.NODE) {
          throw new IOException(name.title() + " is not a node");
        }
        return name.name();
      } catch (SSLPeerUnverifiedException | CertificateException untrusted) {
        throw new IOException(untrusted);
      }
    };
  }

  @Override
  public void serve(Receiver next) {
    receiver = next;
  }

  @Override
  public Future<SideAnswer> send(String to, SideMessage message) {
    var known =
        log.list(Node.KIND).stream()
            .filter(node -> Node.machineId(node).filter(to::equals).isPresent())
            .findFirst();
    return known
        .map(node -> send(node, message))
        .orElseGet(() -> Future.failedFuture("the machine %s is not known".formatted(to)));
  }

  private Future<SideAnswer> send(Resource<Node.Spec, Node.Status> node, SideMessage message) {
    var address = StoredState.addresses(node).stream().findFirst();
    if (address.isEmpty()) {
      return Future.failedFuture(node.name() + " has no cluster address");
    }
    var answer = Promise.<SideAnswer>promise();
    var sent = new AtomicReference<@Nullable HttpClientRequest>();
    var timer =
        loop.after(
            limit,
            () -> {
              if (answer.tryFail(
                  new IOException("%s does not answer in %s".formatted(node.name(), limit)))) {
                var late = sent.get();
                if (late != null) {
                  late.reset();
                }
              }
            });
    loop.offload(() -> bytes(message))
        .compose(bytes -> exchange(node.name(), Address.of(address.get()), bytes, sent, answer))
        .onSuccess(answer::tryComplete)
        .onFailure(answer::tryFail);
    answer.future().onComplete(done -> loop.execute(timer::cancel));
    return answer.future();
  }

  private static Buffer bytes(SideMessage message) throws IOException {
    var bytes = Buffer.buffer(SideMessages.text(message, MOST));
    if (bytes.length() > MOST) {
      throw new IOException(
          "a message of %d bytes is larger than the limit of %d".formatted(bytes.length(), MOST));
    }
    return bytes;
  }

  private Future<SideAnswer> exchange(
      String node,
      Address at,
      Buffer bytes,
      AtomicReference<@Nullable HttpClientRequest> sent,
      Promise<SideAnswer> answer) {
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(at.host())
            .setPort(at.port())
            .setURI(PATH)
            .setConnectTimeout(limit.toMillis());
    return http.request(options)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request -> {
              sent.set(request);
              if (answer.future().isComplete()) {
                request.reset();
                return Future.failedFuture("too late");
              }
              return checked(request, node)
                  .compose(same -> request.send(bytes))
                  .compose(response -> read(response, node))
                  .onFailure(unfinished -> request.reset());
            });
  }

  /** Sends nothing to another machine that has the address now. */
  private Future<Void> checked(HttpClientRequest request, String expected) {
    try {
      var name = naming.node(request.connection());
      return name.equals(expected)
          ? Future.succeededFuture()
          : Future.failedFuture(
              new IOException("%s answers instead of %s".formatted(name, expected)));
    } catch (IOException unknown) {
      return Future.failedFuture(unknown);
    }
  }

  private static Future<SideAnswer> read(HttpClientResponse response, String from) {
    if (response.statusCode() != 200) {
      return Future.failedFuture(
          new IOException("%s answers %d".formatted(from, response.statusCode())));
    }
    return LimitedBody.of(response, ANSWER)
        .compose(
            body -> {
              for (var each : SideAnswer.values()) {
                if (each.name().equals(body.toString())) {
                  return Future.succeededFuture(each);
                }
              }
              return Future.failedFuture(new IOException(from + " answers nonsense"));
            });
  }

  /** Answers a node, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    var present = receiver;
    var machine = log.get(Node.KIND, peer.name()).flatMap(Node::machineId);
    if (peer.type() != CertifiedName.Type.NODE || machine.isEmpty()) {
      end(request, 403, peer.title() + " is not a node of this cluster now");
    } else if (present == null || !request.method().equals(HttpMethod.POST)) {
      end(request, present == null ? 503 : 405, "");
    } else if (isSmall(request)) {
      receive(peer, machine.get(), request, LARGE, present);
    } else if (!peer.elector()) {
      end(request, 403, "only electors send a fork");
    } else {
      large
          .take()
          .ifPresentOrElse(
              release -> {
                request.response().endHandler(done -> release.run());
                request.response().closeHandler(closed -> release.run());
                receive(peer, machine.get(), request, MOST, present);
              },
              () -> end(request, 503, "other forks are received now"));
    }
  }

  private static boolean isSmall(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null && length.matches("\\d{1,5}") && Integer.parseInt(length) <= LARGE;
  }

  private void receive(
      CertifiedName peer, String machine, HttpServerRequest request, int most, Receiver to) {
    var timer = loop.after(limit, () -> request.connection().close());
    LimitedBody.of(request, most)
        .onComplete(read -> loop.execute(timer::cancel))
        .onSuccess(body -> receive(peer, machine, request, body, to))
        .onFailure(
            unread -> {
              request.response().putHeader("Connection", "close");
              end(request, 413, String.valueOf(unread.getMessage()));
            });
  }

  private void receive(
      CertifiedName peer, String from, HttpServerRequest request, Buffer body, Receiver to) {
    loop.offload(() -> permitted(peer, SideMessages.read(body.toString())))
        .onFailure(
            malformed -> {
              LOG.warn("side: {}: {}", from, malformed.getMessage());
              end(request, 400, String.valueOf(malformed.getMessage()));
            })
        .onSuccess(
            message ->
                to.receive(from, message)
                    .onSuccess(answer -> end(request, 200, answer.name()))
                    .onFailure(failure -> end(request, 500, "")));
  }

  /** A node that does not vote reports, and neither appoints nor leads. */
  private static SideMessage permitted(CertifiedName peer, SideMessage message) throws IOException {
    if (!peer.elector() && !(message instanceof SideMessage.Report)) {
      throw new IOException(peer.title() + " does not vote, and may only report");
    }
    return message;
  }

  private static void end(HttpServerRequest request, int status, String text) {
    var response = request.response();
    if (!response.ended() && !response.closed()) {
      response.setStatusCode(status).end(text);
    }
  }
}
