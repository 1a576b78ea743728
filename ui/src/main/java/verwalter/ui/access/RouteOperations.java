package verwalter.ui.access;

import static java.util.Map.entry;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import verwalter.access.AccessVerb;
import verwalter.access.NamedRoute;
import verwalter.access.Operation;
import verwalter.model.Action;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.stores.api.ObjectStore;

/** The operation that each route stands for. A route that is not listed cannot be served. */
final class RouteOperations {
  private static final String OBJECTS = "/apis/" + Kind.API_VERSION + "/{plural}";

  private static final Map<String, NamedRoute> NAMED =
      Map.ofEntries(
          entry("/healthz", NamedRoute.HEALTH),
          entry("/livez", NamedRoute.HEALTH),
          entry("/readyz", NamedRoute.STATUS),
          entry("/metrics", NamedRoute.METRICS),
          entry("/version", NamedRoute.DISCOVERY),
          entry("/api", NamedRoute.DISCOVERY),
          entry("/apis", NamedRoute.DISCOVERY),
          entry("/apis/" + Kind.GROUP, NamedRoute.DISCOVERY),
          entry("/apis/" + Kind.API_VERSION, NamedRoute.DISCOVERY),
          entry("/openapi/v2", NamedRoute.DISCOVERY),
          entry("/openapi/v3", NamedRoute.DISCOVERY),
          entry("/openapi/v3/{group}", NamedRoute.DISCOVERY),
          entry(Reviews.ACCESS, NamedRoute.SELF),
          entry(Reviews.RULES, NamedRoute.SELF),
          entry(Reviews.SUBJECT, NamedRoute.SELF),
          entry("/", NamedRoute.PAGE),
          entry("/ui/page.css", NamedRoute.PAGE),
          entry("/ui/page.js", NamedRoute.PAGE),
          entry("/ui/icon.svg", NamedRoute.PAGE),
          entry("/ui/events", NamedRoute.PAGE),
          entry("/v1/status", NamedRoute.STATUS),
          entry("/v1/election", NamedRoute.STATUS),
          entry("/v1/peers", NamedRoute.STATUS),
          entry("/v1/schedule", NamedRoute.STATUS),
          entry("/v1/leader-redirect-by-node-name", NamedRoute.STATUS),
          entry("/v1/graphql", NamedRoute.STATUS),
          entry("/v1/metrics", NamedRoute.METRICS),
          entry("/v1/roles_data", NamedRoute.QUERIES),
          entry("/v1/query", NamedRoute.QUERIES),
          entry("/v1/wasm/{module}", NamedRoute.DECISIONS),
          entry("/v1/scheduler_input", NamedRoute.DECISIONS),
          entry("/v1/scheduler_debug_info", NamedRoute.DECISIONS),
          entry("/v1/decisions", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}/input", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}/output", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}/log", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}/code", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}/packed", NamedRoute.DECISIONS),
          entry("/v1/decisions/{record}/packed_code", NamedRoute.DECISIONS),
          entry("/v1/log/index/{file}", NamedRoute.LOGS),
          entry("/v1/log/global/{file}", NamedRoute.LOGS),
          entry("/v1/log/changes/{file}", NamedRoute.LOGS),
          entry("/v1/log/role/{file}", NamedRoute.LOGS),
          entry("/v1/log/external/{file}", NamedRoute.LOGS),
          entry("/v1/logs/{process}", NamedRoute.LOGS),
          entry("/v1/exec/{process}", NamedRoute.EXEC),
          entry("/v1/backups", NamedRoute.LOGS),
          entry("/v1/backup/{name}", NamedRoute.LOGS),
          entry("/v1/force_render_all", NamedRoute.RENDERING),
          entry("/v1/cluster/recovery", NamedRoute.FOUNDING),
          entry("/v1/audit", NamedRoute.AUDIT),
          entry("/v1/audit/{file}", NamedRoute.AUDIT));

  private final ObjectStore store;
  private final Map<String, Function<RoutingContext, Operation>> ofObjects =
      Map.of(
          "/v1/action",
          any -> Operation.creationOf(Action.KIND),
          "/v1/wait_action",
          any -> Operation.creationOf(Action.KIND),
          "/v1/pending_actions",
          any -> Operation.onAll(AccessVerb.LIST, Action.KIND),
          "/v1/action_is_pending/{id}",
          any -> Operation.onAll(AccessVerb.LIST, Action.KIND),
          "/v1/cluster",
          RouteOperations::ofCluster,
          OBJECTS,
          this::onKind,
          OBJECTS + "/{name}",
          this::onObject,
          OBJECTS + "/{name}/status",
          this::onObject);

  RouteOperations(ObjectStore store) {
    this.store = store;
  }

  /** Whether the route is listed. */
  boolean knows(String route) {
    return NAMED.containsKey(route) || ofObjects.containsKey(route);
  }

  /** The operation of a request; empty if the route is not listed. */
  Optional<Operation> of(String route, RoutingContext context) {
    var named = NAMED.get(route);
    return named != null
        ? Optional.of(Operation.at(named))
        : Optional.ofNullable(ofObjects.get(route)).map(it -> it.apply(context));
  }

  /** The operation of a GET request to a path, for reviews; empty if it is not a named route. */
  static Optional<Operation> ofPath(String path) {
    return Optional.ofNullable(NAMED.get(path)).map(Operation::at);
  }

  private static Operation ofCluster(RoutingContext context) {
    boolean reads = context.request().method().equals(HttpMethod.GET);
    return Operation.at(reads ? NamedRoute.STATUS : NamedRoute.FOUNDING);
  }

  private Operation onKind(RoutingContext context) {
    var kind = kind(context);
    if (kind.isEmpty()) {
      return Operation.at(NamedRoute.DISCOVERY); // answered with 404
    }
    var method = context.request().method();
    if (method.equals(HttpMethod.POST)) {
      return Operation.creationOf(kind.get());
    }
    if (method.equals(HttpMethod.DELETE)) {
      return Operation.onAll(AccessVerb.DELETECOLLECTION, kind.get());
    }
    return Operation.onAll(
        isWatch(context.request()) ? AccessVerb.WATCH : AccessVerb.LIST, kind.get());
  }

  private static boolean isWatch(HttpServerRequest request) {
    var watch = request.getParam("watch");
    return watch != null && !watch.equals("false") && !watch.equals("0");
  }

  private Operation onObject(RoutingContext context) {
    var kind = kind(context);
    if (kind.isEmpty()) {
      return Operation.at(NamedRoute.DISCOVERY);
    }
    return on(verb(context.request().method()), kind.get(), context.pathParam("name"));
  }

  /** A verb on an object of the store, or on one that does not exist. */
  <S, T> Operation on(AccessVerb verb, Kind<S, T> kind, String name) {
    return store
        .get(kind, name)
        .map(object -> Operation.on(verb, object))
        .orElseGet(() -> Operation.onAbsent(verb, kind, name));
  }

  private static AccessVerb verb(HttpMethod method) {
    return switch (method.name()) {
      case "GET", "HEAD" -> AccessVerb.GET;
      case "PUT" -> AccessVerb.UPDATE;
      case "PATCH" -> AccessVerb.PATCH;
      default -> AccessVerb.DELETE;
    };
  }

  private static Optional<Kind<?, ?>> kind(RoutingContext context) {
    var plural = context.pathParam("plural");
    return Kinds.ALL.stream().filter(it -> it.plural().equals(plural)).findFirst();
  }
}
