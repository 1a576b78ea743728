package verwalter.ui.v1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.Optional;
import verwalter.ui.http.Answer;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;
import verwalter.ui.port.ClusterSetup;

/** {@code /v1/cluster}: describes the cluster, founds it, and recovers it. */
public final class ClusterRoutes {
  private static final String PATH = "/v1/cluster";
  private static final String RECOVERY = PATH + "/recovery";

  private final ClusterSetup setup;
  private final RequestDispatcher dispatcher;

  public ClusterRoutes(ClusterSetup setup, RequestDispatcher dispatcher) {
    this.setup = setup;
    this.dispatcher = dispatcher;
  }

  /** Adds the routes. */
  public void mount(Router router) {
    router.route(HttpMethod.GET, PATH).handler(dispatcher.on(PATH, this::describe));
    router.route(HttpMethod.POST, PATH).handler(dispatcher.on(PATH, this::found));
    router
        .route(HttpMethod.GET, RECOVERY)
        .handler(dispatcher.on(RECOVERY, context -> describe(context, setup.recovery())));
    router.route(HttpMethod.POST, RECOVERY).handler(dispatcher.on(RECOVERY, this::recover));
  }

  private Future<Void> describe(RoutingContext context) {
    return setup
        .describe()
        .map(
            known -> {
              var description =
                  known.orElseThrow(
                      () ->
                          RequestProblem.notFound(
                              "this node is in no cluster; found one: vw cluster init"));
              Answer.json(context.request(), 200, json(description));
              return null;
            });
  }

  private Future<Void> recover(RoutingContext context) {
    var sent = Promise.<Void>promise();
    context.addEndHandler(ended -> sent.tryComplete());
    return describe(
        context,
        setup.recover().onSuccess(begun -> sent.future().onSuccess(ended -> setup.restart())));
  }

  private static Future<Void> describe(
      RoutingContext context, Future<ClusterSetup.Recovery> recovery) {
    return recovery
        .recover(failure -> Future.failedFuture(problem(failure)))
        .map(
            kept -> {
              var tree =
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("node", kept.node())
                      .put("entry", kept.entry())
                      .put("written", kept.written());
              kept.others().forEach(tree.putArray("others")::add);
              Answer.json(context.request(), 200, tree);
              return null;
            });
  }

  private Future<Void> found(RoutingContext context) {
    var sent = Promise.<Void>promise();
    context.addEndHandler(ended -> sent.tryComplete());
    return setup
        .found(address(context))
        .onSuccess(founded -> sent.future().onSuccess(ended -> setup.restart()))
        .recover(failure -> Future.failedFuture(problem(failure)))
        .map(
            founding -> {
              context.response().putHeader("Cache-Control", "no-store");
              var answer = json(founding.description());
              answer.put("credentials", founding.credentials()).put("trust", founding.trust());
              Answer.json(context.request(), 201, answer);
              return null;
            });
  }

  private static Throwable problem(Throwable failure) {
    if (failure instanceof IllegalArgumentException) {
      return RequestProblem.badRequest(String.valueOf(failure.getMessage()));
    }
    return failure instanceof IOException
        ? RequestProblem.of(409, "Conflict", String.valueOf(failure.getMessage()))
        : failure;
  }

  private static Optional<String> address(RoutingContext context) {
    var body = context.body().buffer();
    var tree = StrictJson.parse(body == null ? Buffer.buffer() : body, "application/json");
    JsonNode address = tree.path("address");
    if (!tree.isObject() || !(address.isMissingNode() || address.isTextual())) {
      throw RequestProblem.badRequest("the body is an object with an address, which is a text");
    }
    return Optional.of(address.asText()).filter(it -> !it.isEmpty());
  }

  private static ObjectNode json(ClusterSetup.Description description) {
    var tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("cluster", description.cluster())
            .put("node", description.node())
            .put("address", description.address())
            .put("authority", description.authority())
            .put("expires", description.expires());
    var members = tree.putArray("members");
    for (var each : description.members()) {
      var member =
          members
              .addObject()
              .put("node", each.node())
              .put("elector", each.elector())
              .put("server", each.server());
      each.addresses().forEach(member.putArray("addresses")::add);
    }
    return tree;
  }
}
