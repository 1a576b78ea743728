package verwalter.ui.forward;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.port.Forwarding;

/**
 * Forwards requests that need the leader or the files of another node, and says in each answer what
 * it shows. Bodies are transferred in both directions as they arrive, at the speed of the slower
 * side. Streams through the former leader end when the leader changes, so that clients resume them
 * or list again.
 */
public final class LeaderForwarder implements Handler<RoutingContext> {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderForwarder.class);

  /** The key in a routing context of the name of the node that the client sent its request to. */
  private static final String ASKED = "verwalter.asked";

  /** The limit of requests that are forwarded at once. */
  private static final int MOST = 512;

  /** The time until the leader begins to answer; longer than it waits for an action. */
  private static final Duration HEAD_LIMIT = Duration.ofSeconds(150);

  /** The same for a read that this node can answer alone. */
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);

  /** The time without any byte after which a transfer ends. A watch has a bookmark each minute. */
  private static final Duration IDLE_LIMIT = Duration.ofMinutes(65);

  private static final int SWITCHING = 101;

  private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");

  /** Headers that belong to one connection, or that the server of the leader must not believe. */
  private static final Set<String> NOT_FORWARDED =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "host",
          "origin",
          "referer",
          "sec-fetch-site",
          "accept-encoding",
          "expect",
          "cookie",
          "content-length",
          Forwarding.HOP.toLowerCase(Locale.ROOT),
          Forwarding.CALLER.toLowerCase(Locale.ROOT));

  private final Vertx vertx;
  private final ClusterView cluster;
  private final Forwarding forwarding;
  private final Function<HttpServerRequest, Optional<String>> caller;
  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
  private final Watch leaderWatch;

  /**
   * Creates a forwarder.
   *
   * @param loop follows the leader
   * @param caller who makes a request, as this node claims; empty if the leader finds out itself
   */
  public LeaderForwarder(
      Vertx vertx,
      Loop loop,
      ClusterView cluster,
      Forwarding forwarding,
      Function<HttpServerRequest, Optional<String>> caller) {
    this.vertx = vertx;
    this.cluster = cluster;
    this.forwarding = forwarding;
    this.caller = caller;
    this.leaderWatch = cluster.watchLeader(loop, this::leaderChanged);
  }

  /** The name of the node that the client sent its request to; empty without a cluster. */
  public static Optional<String> asked(RoutingContext context) {
    return Optional.ofNullable(context.<String>get(ASKED));
  }

  /** Stops following the leader. */
  public void close() {
    leaderWatch.close();
    open.forEach(Exchange::abort);
  }

  @Override
  public void handle(RoutingContext context) {
    var request = context.request();
    var node = cluster.self().hostname();
    var other = Need.otherNode(path(context), Optional.ofNullable(request.getParam("node")), node);
    if (other.isPresent() && !forwarding.isForwarded(request)) {
      forward(context, other.get());
      return;
    }
    var need = Need.of(request.method().name(), path(context), node);
    var verdict = Verdict.of(need, situation(request));
    if (verdict instanceof Verdict.Forward forward) {
      forward(context, new Receiver(need, "the leader"), forward.address());
    } else if (verdict instanceof Verdict.Refuse refuse) {
      refuse(context, refuse.why());
    } else {
      answer(context, ((Verdict.Answer) verdict).partial());
    }
  }

  private void forward(RoutingContext context, String node) {
    var address = forwarding.node().apply(node);
    if (address.isEmpty()) {
      context.fail(
          RequestProblem.notFound("there is no node \"%s\" in this cluster".formatted(node)));
    } else {
      forward(context, new Receiver(Need.NODE, "node " + node), address.get());
    }
  }

  /**
   * The node that a request is forwarded to.
   *
   * @param title for messages
   */
  private record Receiver(Need need, String title) {
    boolean isLeader() {
      return need != Need.NODE;
    }
  }

  private static String path(RoutingContext context) {
    var path = String.valueOf(context.normalizedPath());
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return path;
    }
  }

  private Verdict.Situation situation(HttpServerRequest request) {
    var leader = cluster.leader();
    return new Verdict.Situation(
        cluster.leads(),
        leader.map(ClusterView.Member::hostname),
        leader.flatMap(forwarding.address()),
        forwarding.hasCluster().getAsBoolean(),
        forwarding.isForwarded(request));
  }

  private void answer(RoutingContext context, boolean partial) {
    var request = context.request();
    var asked =
        forwarding.isForwarded(request)
            ? request.getHeader(Forwarding.HOP)
            : cluster.self().hostname();
    context.put(ASKED, asked);
    context.response().putHeader(Forwarding.VIEW, view(partial));
    context.next();
  }

  private String view(boolean partial) {
    var shown = forwarding.view().get();
    var text = new StringBuilder("side=").append(shown.side());
    cluster.leader().ifPresent(it -> text.append(", leader=\"").append(it.hostname()).append('"'));
    text.append(", epoch=").append(cluster.epoch());
    shown.age().ifPresent(age -> text.append(", age=").append(age.toSeconds()));
    return partial ? text.append(", partial").toString() : text.toString();
  }

  private void refuse(RoutingContext context, String why) {
    context.response().putHeader(Forwarding.VIEW, view(false));
    if (forwarding.isForwarded(context.request())) {
      context.response().putHeader(Forwarding.NOT_LEADING, "true");
    }
    context.fail(RequestProblem.of(503, "ServiceUnavailable", why));
  }

  private void forward(RoutingContext context, Receiver receiver, String address) {
    var parts = ADDRESS.matcher(address);
    if (!parts.matches()) {
      refuse(context, "the address of %s is malformed: %s".formatted(receiver.title(), address));
      return;
    }
    if (open.size() >= MOST) {
      context.fail(
          RequestProblem.tooMany("%d requests are being forwarded already".formatted(MOST)));
      return;
    }
    var request = context.request();
    request.pause();
    var exchange = new Exchange(context, receiver);
    open.add(exchange);
    context.addEndHandler(ended -> exchange.ended());
    var options =
        new RequestOptions()
            .setMethod(request.method())
            .setHost(parts.group(1).replaceAll("[\\[\\]]", ""))
            .setPort(Integer.parseInt(parts.group(2)))
            .setURI(request.uri())
            .setIdleTimeout(IDLE_LIMIT.toMillis())
            .setFollowRedirects(false);
    forwarding
        .client()
        .request(options)
        .onFailure(failure -> exchange.unreachable(failure))
        .onSuccess(exchange::send);
  }

  private void leaderChanged() {
    var now = cluster.leader().map(ClusterView.Member::id);
    open.forEach(exchange -> exchange.leaderIs(now));
  }

  /** A request that is being forwarded. Belongs to the context of its connection. */
  private final class Exchange {
    private final RoutingContext routing;
    private final Receiver receiver;
    private final Context context;
    private final Optional<String> leader = cluster.leader().map(ClusterView.Member::id);
    private final long limit;
    private @Nullable HttpClientRequest sent;
    private boolean answering;
    private boolean over;

    Exchange(RoutingContext routing, Receiver receiver) {
      this.routing = routing;
      this.receiver = receiver;
      this.context = vertx.getOrCreateContext();
      this.limit =
          vertx.setTimer(
              (receiver.need() == Need.LEADER ? HEAD_LIMIT : READ_LIMIT).toMillis(),
              late -> fail(receiver.title() + " does not answer"));
    }

    void send(HttpClientRequest to) {
      if (over) {
        to.reset();
        return;
      }
      sent = to;
      var from = routing.request();
      from.headers()
          .forEach(
              (name, value) -> {
                if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT))) {
                  to.headers().add(name, value);
                }
              });
      to.headers()
          .set(HttpHeaders.HOST, "localhost")
          .set(Forwarding.HOP, cluster.self().hostname());
      caller.apply(from).ifPresent(it -> to.headers().set(Forwarding.CALLER, it));
      if (isUpgrade(from)) {
        to.headers()
            .set(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE)
            .set(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET);
        to.connect().onSuccess(this::tunnel).onFailure(failure -> broken(failure.getMessage()));
        return;
      }
      var length = from.getHeader(HttpHeaders.CONTENT_LENGTH);
      Future<HttpClientResponse> response;
      boolean empty = length == null && from.getHeader(HttpHeaders.TRANSFER_ENCODING) == null;
      if (empty || reads()) { // the request stays unread, so that it can be answered alone
        response = to.send();
      } else {
        if (length != null) {
          to.putHeader(HttpHeaders.CONTENT_LENGTH, length);
        }
        response = to.send(from);
      }
      response.onSuccess(this::answer).onFailure(failure -> broken(failure.getMessage()));
    }

    /** Whether the request opens a WebSocket, whose bytes are transferred as they are. */
    private static boolean isUpgrade(HttpServerRequest request) {
      return request.headers().contains(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET, true);
    }

    /** Connects both sides, if the receiver has opened a WebSocket. */
    private void tunnel(HttpClientResponse from) {
      if (over || from.statusCode() != SWITCHING) {
        answer(from);
        return;
      }
      vertx.cancelTimer(limit);
      answering = true;
      var there = from.netSocket();
      there.pause();
      var to = routing.response();
      from.headers()
          .forEach(
              (name, value) -> {
                if (name.toLowerCase(Locale.ROOT).startsWith("sec-websocket-")) {
                  to.headers().set(name, value);
                }
              });
      to.headers()
          .set(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE)
          .set(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET);
      routing
          .request()
          .toNetSocket()
          .onSuccess(
              here -> {
                here.closeHandler(closed -> ended());
                here.pipeTo(there).onComplete(done -> there.close());
                there.pipeTo(here).onComplete(done -> here.close());
              })
          .onFailure(
              failure -> {
                there.close();
                broken(failure.getMessage());
              });
    }

    private void answer(HttpClientResponse from) {
      vertx.cancelTimer(limit);
      if (over) {
        return;
      }
      if (from.getHeader(Forwarding.NOT_LEADING) != null) {
        alone("node %s does not lead any more".formatted(leader.orElse("")));
        return;
      }
      answering = true;
      from.exceptionHandler(
          failure -> LOG.debug("the answer of {} ended", receiver.title(), failure));
      var to = routing.response();
      to.setStatusCode(from.statusCode());
      from.headers()
          .forEach(
              (name, value) -> {
                var lower = name.toLowerCase(Locale.ROOT);
                if (!NOT_FORWARDED.contains(lower)) {
                  to.headers().set(name, value);
                }
              });
      var length = from.getHeader(HttpHeaders.CONTENT_LENGTH);
      if (length != null && from.getHeader(HttpHeaders.CONTENT_ENCODING) != null) {
        to.putHeader(HttpHeaders.CONTENT_LENGTH, length);
      } else {
        to.setChunked(true);
      }
      boolean empty = from.statusCode() == 204 || from.statusCode() == 304;
      if (empty || routing.request().method().name().equals("HEAD")) {
        to.setChunked(false);
        to.end();
        return;
      }
      to.writeHead(); // a stream may have no bytes for long
      from.pipe().endOnFailure(false).to(to).onFailure(failure -> broken(failure.getMessage()));
    }

    /** The receiver cannot be reached: nothing of the request was sent. */
    void unreachable(Throwable failure) {
      LOG.info(
          "{} {} cannot be forwarded: {}",
          routing.request().method(),
          routing.request().path(),
          failure.getMessage());
      alone(receiver.title() + " cannot be reached: " + failure.getMessage());
    }

    /** Answers without the leader, if that is possible. */
    private void alone(String why) {
      if (over) {
        return;
      }
      ended();
      routing.request().resume();
      if (reads()) {
        LeaderForwarder.this.answer(routing, true);
      } else {
        refuse(routing, why);
      }
    }

    /** Whether the request has no body and can be answered alone. */
    private boolean reads() {
      return receiver.need() != Need.LEADER
          && receiver.isLeader()
          && List.of("GET", "HEAD").contains(routing.request().method().name());
    }

    /** The connection to the leader ended. */
    private void broken(@Nullable String why) {
      if (over) {
        return;
      }
      if (!answering && reads()) { // nothing was written, so this node may answer as well
        alone(receiver.title() + " did not answer: " + why);
        return;
      }
      if (!answering) {
        fail(receiver.title() + " did not answer: " + why);
        return;
      }
      ended();
      // A stream may end between two of its events. Any other answer is incomplete.
      if (isStream()) {
        routing.response().end();
      } else {
        routing.response().reset();
      }
    }

    private boolean isStream() {
      var type = String.valueOf(routing.response().headers().get(HttpHeaders.CONTENT_TYPE));
      return routing.request().getParam("watch") != null || type.startsWith("text/event-stream");
    }

    private void fail(String why) {
      if (over || answering) {
        return;
      }
      if (reads()) {
        alone(why);
        return;
      }
      ended();
      routing.request().resume();
      refuse(
          routing,
          receiver.isLeader() ? why + "; it is unknown whether the request was carried out" : why);
    }

    void leaderIs(Optional<String> now) {
      if (receiver.isLeader() && !now.equals(leader)) {
        abort();
      }
    }

    void abort() {
      context.runOnContext(
          any -> {
            var to = sent;
            broken(receiver.isLeader() ? "the leader has changed" : "this node is shutting down");
            if (to != null) {
              to.reset();
            }
          });
    }

    void ended() {
      if (!over) {
        over = true;
        open.remove(this);
        vertx.cancelTimer(limit);
        if (sent != null && !routing.response().ended()) {
          sent.reset();
        }
      }
    }
  }
}
