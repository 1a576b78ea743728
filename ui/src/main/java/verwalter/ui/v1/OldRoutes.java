package verwalter.ui.v1;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.ui.http.Answer;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.ServedFile;
import verwalter.ui.http.Streams;

/** Routes of verwalter 0.13 that no part of Verwalter uses. */
final class OldRoutes {
  private static final String WASM = "/v1/wasm/";
  private static final List<String> MODULES = List.of("scheduler.wasm", "query.wasm");
  private static final String REDIRECT = "/v1/leader-redirect-by-node-name";

  /** The time that the redirection waits for a leader. */
  private static final Duration PATIENCE = Duration.ofSeconds(65);

  private static final String PORT = "8379";

  private final ClusterView cluster;
  private final Loop loop;
  private final Streams streams;
  private final LeaderWait leaders;
  private final RequestDispatcher dispatcher;

  OldRoutes(ClusterView cluster, Loop loop, Streams streams, RequestDispatcher dispatcher) {
    this.cluster = cluster;
    this.loop = loop;
    this.streams = streams;
    this.leaders = new LeaderWait(cluster, loop);
    this.dispatcher = dispatcher;
  }

  void mount(Router router) {
    router
        .routeWithRegex("/v1/wasm/(?<module>[a-z]+\\.wasm)")
        .setName(WASM + "{module}")
        .handler(dispatcher.on(WASM + "{module}", this::module));
    router
        .routeWithRegex(REDIRECT + "/?")
        .setName(REDIRECT)
        .handler(dispatcher.on(REDIRECT, this::redirect));
    router
        .routeWithRegex("/v1/graphi?ql" + Formats.SUFFIX)
        .setName("/v1/graphql")
        .handler(dispatcher.at("/v1/graphql", OldRoutes::graphql));
  }

  private Future<Void> module(RoutingContext context) {
    var name = context.pathParam("module");
    if (!MODULES.contains(name)) {
      throw RequestProblem.notFound("no such path: " + context.request().path());
    }
    var directory = cluster.self().configDirectory().resolve("scheduler/v1");
    return loop.offload(() -> ServedFile.below(directory, name))
        .compose(
            found ->
                found
                    .orElseThrow(
                        () ->
                            RequestProblem.notFound(
                                "there is no %s in scheduler/v1".formatted(name)))
                    .send(context.request(), "application/wasm"));
  }

  private Future<Void> redirect(RoutingContext context) {
    streams.enter();
    RequestDispatcher.streams(context);
    return leaders
        .leader(PATIENCE, context)
        .onComplete(any -> streams.leave())
        .map(
            leader -> {
              redirect(context, leader);
              return null;
            });
  }

  private void redirect(RoutingContext context, Optional<ClusterView.Member> leader) {
    var response = context.response();
    if (response.closed()) {
      return;
    }
    if (leader.isEmpty()) {
      Answer.text(
          context.request(), 404, "No leader found in %d seconds".formatted(PATIENCE.toSeconds()));
      return;
    }
    response
        .setStatusCode(308)
        .putHeader("Location", "http://%s:%s/".formatted(leader.get().name(), port(leader.get())))
        .putHeader("Cache-Control", "no-cache")
        .end();
  }

  /** The port of the leader, or of this node if the leader's is unknown. */
  private String port(ClusterView.Member leader) {
    return leader
        .address()
        .or(() -> cluster.self().addresses().stream().findFirst())
        .map(address -> address.substring(address.lastIndexOf(':') + 1))
        .orElse(PORT);
  }

  private static void graphql(RoutingContext context) {
    throw RequestProblem.of(
        501,
        "NotImplemented",
        "GraphQL of verwalter 0.13 is not supported; use the objects at /apis/verwalter.io/v1, or"
            + " /v1/status, /v1/schedule and /v1/roles_data");
  }
}
