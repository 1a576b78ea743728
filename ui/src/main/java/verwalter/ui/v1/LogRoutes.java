package verwalter.ui.v1;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.regex.Pattern;
import verwalter.concurrent.Loop;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;
import verwalter.ui.port.ProcessLogs;

/**
 * The logs of the processes of one node: {@code /v1/logs/GROUP/PROCESS.NUMBER}, as lines of {@code
 * TIME INSTANCE TEXT}.
 */
final class LogRoutes {
  private static final String LOGS = "/v1/logs/";
  private static final String NAME = LOGS + "{process}";

  /** How many clients can read logs of this node at once. */
  private static final int MOST_STREAMS = 64;

  private final ProcessLogs logs;
  private final Loop loop;
  private final RequestDispatcher dispatcher;
  private final String node;
  private final Streams streams = new Streams(MOST_STREAMS);

  /**
   * Creates the routes.
   *
   * @param node the name of this node
   */
  LogRoutes(ProcessLogs logs, Loop loop, RequestDispatcher dispatcher, String node) {
    this.logs = logs;
    this.loop = loop;
    this.dispatcher = dispatcher;
    this.node = node;
  }

  void mount(Router router) {
    router
        .routeWithRegex(Pattern.quote(LOGS) + ".+")
        .setName(NAME)
        .handler(dispatcher.on(NAME, this::send));
  }

  private Future<Void> send(RoutingContext context) {
    var request = context.request();
    if (!request.method().equals(HttpMethod.GET)) {
      throw RequestProblem.of(405, "MethodNotAllowed", "logs are read-only");
    }
    var asked = request.getParam("node");
    if (asked != null && !asked.equals(node)) {
      // A request for another node of the cluster has been forwarded already.
      throw RequestProblem.notFound("there is no node \"%s\" in this cluster".formatted(asked));
    }
    var parameters = LogParameters.of(request, request.path().substring(LOGS.length()), loop.now());
    var reading = logs.open(parameters.query());
    streams.enter();
    return loop.offload(() -> new Begin(reading.refresh(), reading.next()))
        .onFailure(failed -> streams.leave())
        .map(
            begin -> {
              if (!begin.found()) {
                streams.leave();
                throw RequestProblem.notFound(
                    "there are no processes %s on node %s"
                        .formatted(request.path().substring(LOGS.length()), node));
              }
              RequestDispatcher.streams(context);
              new LogStream(context.response(), reading, loop, streams, parameters.follow())
                  .start(begin.lines());
              return null;
            });
  }

  private record Begin(boolean found, List<ProcessLogs.Line> lines) {}
}
