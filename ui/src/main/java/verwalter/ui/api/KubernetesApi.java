package verwalter.ui.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Optional;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Names;
import verwalter.ui.api.Writing.Part;
import verwalter.ui.http.Answer;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;

/** The routes of the object API. */
public final class KubernetesApi {
  private static final String KIND = "/apis/" + Kind.API_VERSION + "/:plural";
  private static final String OBJECT = KIND + "/:name";
  private static final String STATUS = OBJECT + "/status";

  private final Reads reads;
  private final WriteRequests writes;
  private final Watches watches;
  private final RequestDispatcher dispatcher;
  private final String version;

  /** The API on the store of {@code ports}. */
  public KubernetesApi(
      Execution execution, Ports ports, Streams streams, RequestDispatcher dispatcher) {
    var loop = execution.loop();
    this.reads = new Reads(ports.store(), loop);
    this.writes = new WriteRequests(ports.store(), ports.authors(), loop, execution.chance());
    this.watches = new Watches(ports.store(), loop, streams);
    this.dispatcher = dispatcher;
    this.version = ports.cluster().self().version();
  }

  /** Adds all routes. */
  public void mount(Router router) {
    router
        .get("/version")
        .handler(dispatcher.at("/version", it -> json(it, Discovery.version(version))));
    router.get("/api").handler(dispatcher.at("/api", it -> json(it, Discovery.coreVersions())));
    router.get("/apis").handler(dispatcher.at("/apis", it -> json(it, Discovery.groups())));
    router
        .get("/apis/" + Kind.GROUP)
        .handler(dispatcher.at("/apis/" + Kind.GROUP, it -> json(it, Discovery.group())));
    router
        .get("/apis/" + Kind.API_VERSION)
        .handler(dispatcher.at("/apis/" + Kind.API_VERSION, it -> json(it, Discovery.resources())));
    router.get("/openapi/v2").handler(dispatcher.at("/openapi/v2", this::older));
    router
        .get("/openapi/v3")
        .handler(dispatcher.at("/openapi/v3", it -> json(it, OpenApi.index())));
    router
        .get("/openapi/v3/apis/" + Kind.API_VERSION)
        .handler(dispatcher.at("/openapi/v3/{group}", it -> json(it, OpenApi.group(version))));
    mountRead(router, KIND, this::listOrWatch);
    mount(router, HttpMethod.POST, KIND, it -> writes.create(it, kind(it)));
    mount(router, HttpMethod.DELETE, KIND, it -> writes.deleteAll(it, kind(it)));
    mountRead(router, OBJECT, it -> reads.get(it, kind(it), name(it)));
    mount(router, HttpMethod.PUT, OBJECT, it -> writes.replace(it, kind(it), name(it), Part.MAIN));
    mount(router, HttpMethod.PATCH, OBJECT, it -> writes.patch(it, kind(it), name(it), Part.MAIN));
    mount(router, HttpMethod.DELETE, OBJECT, it -> writes.delete(it, kind(it), name(it)));
    mountRead(router, STATUS, it -> reads.get(it, withStatus(it), name(it)));
    mount(
        router,
        HttpMethod.PUT,
        STATUS,
        it -> writes.replace(it, withStatus(it), name(it), Part.STATUS));
    mount(
        router,
        HttpMethod.PATCH,
        STATUS,
        it -> writes.patch(it, withStatus(it), name(it), Part.STATUS));
  }

  /** HEAD is answered like GET without a body, as Kubernetes does for custom resources. */
  private void mountRead(Router router, String path, RequestDispatcher.Task task) {
    mount(router, HttpMethod.GET, path, task);
    mount(router, HttpMethod.HEAD, path, task);
  }

  private void mount(Router router, HttpMethod method, String path, RequestDispatcher.Task task) {
    router.route(method, path).handler(dispatcher.on(path.replaceAll(":(\\w+)", "{$1}"), task));
  }

  private Future<Void> listOrWatch(RoutingContext context) {
    var kind = kind(context);
    return isTrue(context.request(), "watch")
        ? watches.watch(context, kind)
        : reads.list(context, kind);
  }

  /** Some clients accept only protobuf here, which is answered with 406. */
  private void older(RoutingContext context) {
    var rendition = Rendition.of(context.request());
    rendition.send(context.request(), 200, OpenApi2.document(version));
  }

  private static void json(RoutingContext context, JsonNode tree) {
    Answer.json(context.request(), 200, tree);
  }

  private static Kind<?, ?> kind(RoutingContext context) {
    var plural = context.pathParam("plural");
    return Kinds.ALL.stream()
        .filter(kind -> kind.plural().equals(plural))
        .findFirst()
        .orElseThrow(() -> RequestProblem.notFound(unknown(plural)));
  }

  private static Kind<?, ?> withStatus(RoutingContext context) {
    var kind = kind(context);
    if (!Discovery.hasStatus(kind)) {
      throw RequestProblem.notFound(kind.plural() + " have no status");
    }
    return kind;
  }

  private static String unknown(String plural) {
    var known = new ArrayList<String>();
    Kinds.ALL.forEach(kind -> known.add(kind.plural()));
    var near =
        Kinds.find(plural)
            .<Optional<String>>map(kind -> Optional.of(kind.plural()))
            .orElseGet(() -> Names.nearest(plural, known));
    return "unknown kind \"%s\"%s"
        .formatted(
            plural,
            near.map(it -> "; did you mean " + it + "?")
                .orElse("; the kinds are " + String.join(", ", known)));
  }

  private static String name(RoutingContext context) {
    return context.pathParam("name");
  }

  /** Whether a parameter is given and not false. */
  static boolean isTrue(HttpServerRequest request, String parameter) {
    var value = request.getParam(parameter);
    return value != null && !value.equals("false") && !value.equals("0");
  }
}
