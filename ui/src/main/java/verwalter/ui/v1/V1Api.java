package verwalter.ui.v1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import verwalter.model.Json;
import verwalter.model.Schedule;
import verwalter.stores.api.Loop;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.Answer;
import verwalter.ui.http.Desk;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.Problem;
import verwalter.ui.http.Wire;
import verwalter.ui.port.ClusterView;

/**
 * The routes below {@code /v1} (verwalter.md 6.2 to 6.6). Like upstream's, they take any method.
 */
public final class V1Api {
  private static final List<String> KNOWN =
      List.of("status", "election", "peers", "schedule", "metrics");

  private final NodeStatus status;
  private final ClusterView cluster;
  private final Loop loop;
  private final Desk desk;

  public V1Api(ObjectStore store, Loop loop, ClusterView cluster, Desk desk) {
    this.status = new NodeStatus(store, cluster);
    this.cluster = cluster;
    this.loop = loop;
    this.desk = desk;
  }

  /** Adds all routes. */
  public void mount(Router router) {
    for (var name : KNOWN) {
      router
          .routeWithRegex("/v1/" + name + "(\\.[^/]*)?/?")
          .setName("/v1/" + name)
          .handler(desk.at("/v1/" + name, context -> answer(context, name)));
    }
  }

  private void answer(RoutingContext context, String name) {
    var format = suffix(context.request().path());
    switch (name) {
      case "status" -> send(context.request(), format, status.status(loop.now()));
      case "election" -> send(context.request(), format, status.election(loop.now()));
      case "metrics" -> send(context.request(), format, measured());
      case "peers" -> send(context.request(), format, JsonNodeFactory.instance.arrayNode());
      default ->
          schedule(
              context.request(),
              format,
              status.decided().orElseThrow(() -> Problem.notFound("no schedule was made yet")));
    }
  }

  private JsonNode measured() {
    return Wire.parse(Buffer.buffer(Json.canonical(cluster.measured())), MediaTypes.JSON);
  }

  private static void schedule(HttpServerRequest request, String format, Schedule.Spec schedule) {
    var text =
        "{\"timestamp\":%d,\"hash\":\"%s\",\"data\":%s,\"origin\":\"%s\"}"
            .formatted(
                schedule.timestamp().toEpochMilli(),
                schedule.hash(),
                Json.canonical(schedule.data()),
                schedule.origin());
    var body = Buffer.buffer(text);
    if (format.equals("pretty") || format.equals("gron")) {
      send(request, format, Wire.parse(body, MediaTypes.JSON));
    } else {
      Answer.send(request, 200, MediaTypes.JSON, body);
    }
  }

  private static void send(HttpServerRequest request, String format, JsonNode tree) {
    switch (format) {
      case "pretty" -> Answer.send(request, 200, MediaTypes.JSON, Wire.pretty(tree));
      case "gron" -> Answer.send(request, 200, "text/x-gron", Buffer.buffer(Gron.text(tree)));
      default -> Answer.send(request, 200, MediaTypes.JSON, Wire.json(tree));
    }
  }

  private static String suffix(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(dot + 1).replaceFirst("/$", "");
  }
}
