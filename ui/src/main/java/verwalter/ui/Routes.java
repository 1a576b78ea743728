package verwalter.ui;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.ClusterView;
import verwalter.model.Node;
import verwalter.problems.ObjectProblem;
import verwalter.problems.ProblemWatch;
import verwalter.problems.Severity;
import verwalter.ui.access.Gatekeeper;
import verwalter.ui.access.Reviews;
import verwalter.ui.api.KubernetesApi;
import verwalter.ui.forward.LeaderForwarder;
import verwalter.ui.http.Answer;
import verwalter.ui.http.ErrorPage;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestGuard;
import verwalter.ui.http.RequestMetrics;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;
import verwalter.ui.page.StatusPage;
import verwalter.ui.port.ClusterSetup;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Forwarding;
import verwalter.ui.port.Ports;
import verwalter.ui.v1.ClusterRoutes;
import verwalter.ui.v1.V1Api;

/** Builds the router: guard, body, routes, error responses, in this order. */
final class Routes {
  /** The largest request body, in bytes; twice the largest object. */
  private static final long MOST_BODY = 3L << 20;

  private static final int MOST_STREAMS = 256;

  private static final String TIMER = "verwalter.timer";

  private final Vertx vertx;
  private final ServerLimits limits;
  private final Router router;
  private final RequestDispatcher dispatcher;
  private final StatusPage page;
  private final ProblemWatch problems;
  private final Optional<LeaderForwarder> forwarder;
  private final Gatekeeper gatekeeper;

  /** The routes of a server. */
  Routes(Execution execution, Ports ports, ServerLimits limits, Optional<Forwarding> forwarding) {
    this.vertx = execution.vertx();
    this.limits = limits;
    this.router = Router.router(vertx);
    var counted = new RequestMetrics();
    var streams = new Streams(MOST_STREAMS);
    var loop = execution.loop();
    this.gatekeeper =
        new Gatekeeper(
            ports.store(),
            ports.access(),
            loop,
            request -> forwarding.flatMap(it -> it.claim(request)));
    this.dispatcher = new RequestDispatcher(loop, execution.clock(), counted, gatekeeper);
    var self = ports.cluster().self();
    router.route().handler(new RequestGuard(names(self)));
    this.forwarder =
        forwarding.map(
            it -> new LeaderForwarder(vertx, loop, ports.cluster(), it, gatekeeper::caller));
    forwarder.ifPresent(it -> router.route().handler(it));
    router.route().handler(this::limitTime);
    router.route().handler(BodyHandler.create(false).setBodyLimit(MOST_BODY));
    router.route().handler(this::stopLimit);
    this.problems = new ProblemWatch(ports.store(), loop, local(ports));
    new KubernetesApi(execution, ports, streams, dispatcher).mount(router);
    new Reviews(gatekeeper, dispatcher).mount(router);
    new V1Api(execution, ports, streams, dispatcher, problems::current).mount(router);
    this.page = new StatusPage(ports.store(), loop, ports.cluster(), problems, dispatcher);
    page.mount(router);
    new HealthEndpoints(
            ports.checks(),
            problems::current,
            ports.metrics(),
            counted,
            () -> streams.open() + page.open(),
            dispatcher)
        .mount(router);
    router.route().last().failureHandler(this::refuse);
    for (int code : new int[] {400, 404, 405, 406, 413, 414, 415, 431, 500}) {
      router.errorHandler(code, this::refuse);
    }
  }

  /** Adds the routes of clusters. */
  void cluster(ClusterSetup setup) {
    new ClusterRoutes(setup, dispatcher).mount(router);
  }

  Router router() {
    return router;
  }

  /** Forwards requests to the leader; empty without a cluster. */
  Optional<LeaderForwarder> forwarder() {
    return forwarder;
  }

  StatusPage page() {
    return page;
  }

  Gatekeeper gatekeeper() {
    return gatekeeper;
  }

  /** The problems that all routes show. */
  ProblemWatch problems() {
    return problems;
  }

  private static Supplier<List<ObjectProblem>> local(Ports ports) {
    return () -> {
      var all = new ArrayList<>(ports.problems().get());
      if (ports.cluster().leader().isEmpty()) {
        all.add(noLeader(ports.cluster().self()));
      }
      return all;
    };
  }

  private static ObjectProblem noLeader(ClusterView.Self self) {
    return new ObjectProblem(
        Severity.CRITICAL,
        Node.KIND.key(self.hostname()),
        Optional.empty(),
        Optional.of(self.hostname()),
        "knows no leader",
        Optional.empty(),
        "no schedule is decided until a leader is elected; processes keep running, and states of"
            + " other nodes are those of before",
        "vw status");
  }

  /** Methods and paths, sorted by path; see {@link UiServer#routes}. */
  List<String> names() {
    return router.getRoutes().stream()
        .filter(route -> route.getName() != null)
        .flatMap(
            route ->
                route.methods() == null
                    ? Stream.of("ANY " + route.getName())
                    : route.methods().stream().map(method -> method + " " + route.getName()))
        .sorted(Comparator.comparing(each -> each.substring(each.indexOf(' ') + 1)))
        .toList();
  }

  private static List<String> names(ClusterView.Self self) {
    var names = new ArrayList<>(List.of(self.name(), self.hostname()));
    self.addresses().forEach(it -> names.add(it.replaceFirst(":\\d+$", "")));
    return names;
  }

  private void limitTime(RoutingContext context) {
    long timer = vertx.setTimer(limits.body().toMillis(), late -> refuseLate(context));
    context.put(TIMER, timer);
    context.addEndHandler(ended -> vertx.cancelTimer(timer));
    context.next();
  }

  /** The rest of the body would be read as the next request, so the connection is closed. */
  private void refuseLate(RoutingContext context) {
    context.response().putHeader("Connection", "close");
    context.addEndHandler(ended -> context.request().connection().close());
    context.fail(
        RequestProblem.of(
            408,
            "Timeout",
            "the body did not arrive in %d seconds".formatted(limits.body().toSeconds())));
  }

  private void stopLimit(RoutingContext context) {
    vertx.cancelTimer(context.<Long>get(TIMER));
    context.next();
  }

  private void refuse(RoutingContext context) {
    var problem = problem(context);
    dispatcher.refused(context);
    boolean ofNode = problem.code() == 401 || problem.code() == 403 || problem.code() == 503;
    if (problem.code() == 401) {
      context.response().putHeader("WWW-Authenticate", "Bearer realm=\"verwalter\"");
    }
    if (isOfObjects(context.request().path()) || (ofNode && !isBrowser(context))) {
      Answer.problem(context.request(), problem);
    } else {
      ErrorPage.send(context.request(), problem.code(), problem.getMessage());
    }
  }

  private static boolean isBrowser(RoutingContext context) {
    var accepted = context.request().getHeader("Accept");
    return accepted != null && accepted.contains("text/html");
  }

  private static boolean isOfObjects(String path) {
    return path.startsWith("/api")
        || path.startsWith("/openapi")
        || path.startsWith("/v1/decisions")
        || path.startsWith("/v1/logs/")
        || path.startsWith("/v1/exec/")
        || path.startsWith("/v1/cluster");
  }

  private static RequestProblem problem(RoutingContext context) {
    var path = context.request().path();
    var failure = context.failure();
    if (failure instanceof RequestProblem known) {
      return known;
    }
    return switch (context.statusCode()) {
      case 404 -> RequestProblem.notFound("no such path: " + path);
      case 405 ->
          RequestProblem.of(
              405,
              "MethodNotAllowed",
              "%s is not allowed at %s".formatted(context.request().method(), path));
      case 413 -> RequestProblem.of(413, "RequestEntityTooLarge", "the body is larger than 3 MiB");
      case 400 -> RequestProblem.badRequest("the request is malformed");
      default -> unexpected(context, failure);
    };
  }

  private static RequestProblem unexpected(RoutingContext context, @Nullable Throwable failure) {
    if (failure == null && context.statusCode() < 0) { // the router cannot decode the path
      return RequestProblem.badRequest("the request is malformed");
    }
    return failure == null
        ? RequestProblem.of(context.statusCode(), "Refused", "the request is refused")
        : RequestDispatcher.problem(context, failure);
  }
}
