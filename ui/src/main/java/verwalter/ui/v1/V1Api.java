package verwalter.ui.v1;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.problems.ObjectProblem;
import verwalter.ui.forward.LeaderForwarder;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Forwarding;
import verwalter.ui.port.Ports;

/** The routes below {@code /v1}. Like those of verwalter 0.13, they take any method. */
public final class V1Api {
  private static final List<String> KNOWN = List.of("status", "election", "peers", "schedule");

  private final NodeStatus status;
  private final Actions actions;
  private final Records records;
  private final OldRoutes old;
  private final ClusterView cluster;
  private final Loop loop;
  private final RequestDispatcher dispatcher;
  private final QueryRoutes queries;
  private final DeploymentRoutes deployments;
  private final AuditRoutes audit;
  private final LogRoutes logs;
  private final ExecRoutes commands;

  /** The routes that use {@code ports} and show {@code problems}. */
  public V1Api(
      Execution execution,
      Ports ports,
      Streams streams,
      RequestDispatcher dispatcher,
      Supplier<List<ObjectProblem>> problems) {
    this.cluster = ports.cluster();
    this.loop = execution.loop();
    this.dispatcher = dispatcher;
    this.queries = new QueryRoutes(ports.store(), loop, ports.queries(), dispatcher);
    this.deployments = new DeploymentRoutes(ports.deployments(), loop, dispatcher);
    this.status = new NodeStatus(ports.store(), cluster, problems);
    this.actions = new Actions(execution, ports, streams, dispatcher);
    this.old = new OldRoutes(cluster, loop, streams, dispatcher);
    this.audit = new AuditRoutes(ports.access().auditLog(), loop, dispatcher);
    this.logs = new LogRoutes(ports.logs(), loop, dispatcher, cluster.self().hostname());
    this.commands =
        new ExecRoutes(
            execution.vertx(), ports.commands(), loop, dispatcher, cluster.self().hostname());
    this.records = new Records(ports.decisions(), loop, cluster, dispatcher);
  }

  /** Adds all routes. */
  public void mount(Router router) {
    for (var name : KNOWN) {
      router
          .routeWithRegex("/v1/" + name + Formats.SUFFIX)
          .setName("/v1/" + name)
          .handler(dispatcher.at("/v1/" + name, context -> answer(context, name)));
    }
    router
        .routeWithRegex("/v1/metrics" + Formats.SUFFIX)
        .setName("/v1/metrics")
        .handler(dispatcher.on("/v1/metrics", this::metrics));
    actions.mount(router);
    records.mount(router);
    queries.mount(router);
    old.mount(router);
    deployments.mount(router);
    audit.mount(router);
    logs.mount(router);
    commands.mount(router);
  }

  private void answer(RoutingContext context, String name) {
    var request = context.request();
    switch (name) {
      case "status" -> status(context);
      case "election" -> Formats.send(request, status.election(loop.now()));
      case "peers" -> Formats.send(request, status.peers());
      default ->
          schedule(
              request,
              status
                  .decided()
                  .orElseThrow(() -> RequestProblem.notFound("no schedule has been decided yet")));
    }
  }

  private Future<Void> metrics(RoutingContext context) {
    return cluster
        .measured()
        .map(
            measured -> {
              sendValue(context.request(), measured);
              return null;
            });
  }

  /** The status, in a cluster with the node that was asked and what the answer shows. */
  private void status(RoutingContext context) {
    var body = status.status(loop.now());
    LeaderForwarder.asked(context)
        .ifPresent(
            node ->
                body.put("asked", node)
                    .put("view", context.response().headers().get(Forwarding.VIEW)));
    Formats.send(context.request(), body);
  }

  private static void schedule(HttpServerRequest request, Schedule.Spec schedule) {
    var text =
        "{\"timestamp\":%d,\"hash\":\"%s\",\"data\":%s,\"origin\":\"%s\"}"
            .formatted(
                schedule.timestamp().toEpochMilli(),
                schedule.hash(),
                Json.canonical(schedule.data()),
                schedule.origin());
    Formats.send(request, Buffer.buffer(text));
  }

  /** Sends a value in the format that the suffix of the path requests. */
  static void sendValue(HttpServerRequest request, @Nullable Object value) {
    Formats.send(request, Buffer.buffer(Json.canonical(value)));
  }
}
