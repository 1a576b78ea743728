package verwalter.ui.v1;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.concurrent.Loop;
import verwalter.ui.access.Admission;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;
import verwalter.ui.port.CommandSessions;

/**
 * The WebSocket that runs a command beside a process of this node: {@code
 * /v1/exec/GROUP/PROCESS.NUMBER}. Only administrators may open it, and never the page of a web
 * site: browsers send {@code Origin} with every WebSocket, and a request with it is refused.
 */
final class ExecRoutes {
  private static final String EXEC = "/v1/exec/";
  private static final String NAME = EXEC + "{process}";
  private static final Pattern PLACE =
      Pattern.compile("([A-Za-z0-9_-]{1,64})(?:/([A-Za-z0-9_-]{1,64})(?:\\.(\\d{1,4}))?)?");

  /** How many commands can run on this node at once. */
  private static final int MOST_SESSIONS = 16;

  private final Vertx vertx;
  private final CommandSessions commands;
  private final Loop loop;
  private final RequestDispatcher dispatcher;
  private final String node;
  private final Streams sessions = new Streams(MOST_SESSIONS);

  /**
   * Creates the routes.
   *
   * @param node the name of this node
   */
  ExecRoutes(
      Vertx vertx, CommandSessions commands, Loop loop, RequestDispatcher dispatcher, String node) {
    this.vertx = vertx;
    this.commands = commands;
    this.loop = loop;
    this.dispatcher = dispatcher;
    this.node = node;
  }

  void mount(Router router) {
    var handler = dispatcher.on(NAME, this::open);
    router
        .routeWithRegex(Pattern.quote(EXEC) + ".+")
        .setName(NAME)
        .handler(
            context -> {
              context.request().pause(); // until the WebSocket is opened
              context.addEndHandler(ended -> context.request().resume());
              context.put(NAME, vertx.getOrCreateContext());
              handler.handle(context);
            });
  }

  private Future<Void> open(RoutingContext context) {
    var request = context.request();
    if (request.getHeader("Origin") != null) {
      throw RequestProblem.of(403, "Forbidden", "web pages cannot run commands");
    }
    if (!request.method().equals(HttpMethod.GET)
        || !request.headers().contains(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET, true)) {
      throw RequestProblem.of(426, "UpgradeRequired", "commands run over a WebSocket: use vw exec");
    }
    var asked = request.getParam("node");
    if (asked != null && !asked.equals(node)) {
      // A request for another node of the cluster has been forwarded already.
      throw RequestProblem.notFound("there is no node \"%s\" in this cluster".formatted(asked));
    }
    var place = PLACE.matcher(request.path().substring(EXEC.length()));
    if (!place.matches()) {
      throw RequestProblem.badRequest(
          "the path is not that of GROUP, GROUP/PROCESS or GROUP/PROCESS.NUMBER");
    }
    var target =
        new ExecSocket.Target(
            node,
            place.group(1),
            Optional.ofNullable(place.group(2)),
            Optional.ofNullable(place.group(3)).map(Integer::valueOf).orElse(0));
    enter();
    var admission = Admission.of(context);
    RequestDispatcher.streams(context);
    return upgraded(context, request)
        .transform(
            opened -> {
              if (opened.failed()) {
                sessions.leave();
                return Future.failedFuture(
                    RequestProblem.badRequest("the request opens no WebSocket"));
              }
              return Future.succeededFuture(opened.result());
            })
        .map(
            socket -> {
              new ExecSocket(socket, target, commands, loop, admission, sessions::leave).start();
              return null;
            });
  }

  private void enter() {
    if (sessions.open() >= MOST_SESSIONS) {
      throw RequestProblem.tooMany(
          "%d commands run on node %s already; end some".formatted(sessions.open(), node));
    }
    sessions.enter();
  }

  /** Opens the WebSocket on the event loop of the request; the future completes on the loop. */
  private Future<ServerWebSocket> upgraded(RoutingContext context, HttpServerRequest request) {
    var opened = Promise.<ServerWebSocket>promise();
    context
        .<Context>get(NAME)
        .runOnContext(
            own ->
                request
                    .toWebSocket()
                    .onSuccess(ServerWebSocket::pause)
                    .onComplete(done -> loop.execute(() -> opened.handle(done))));
    return opened.future();
  }
}
