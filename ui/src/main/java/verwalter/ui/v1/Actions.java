package verwalter.ui.v1;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.access.AccessVerb;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.access.Admission;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;
import verwalter.ui.http.StrictJson;
import verwalter.ui.port.Authors;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;
import verwalter.ui.port.RequestStore;

/** Accepts actions for the scheduler, and reports their results. */
final class Actions {
  private static final Logger LOG = LoggerFactory.getLogger(Actions.class);

  /** The largest request, in bytes. */
  private static final int MOST_BYTES = 65_536;

  /** The maximum number of pending actions. Each is part of the scheduler's input. */
  private static final int MOST_PENDING = 1_000;

  private static final int LOGGED = 1_000;

  /** The time that {@code wait_action} waits for the scheduler. */
  private static final Duration WAIT_LIMIT = Duration.ofMinutes(2);

  private final ObjectStore store;
  private final Authors authors;
  private final ActionIds ids;
  private final Loop loop;
  private final ClusterView cluster;
  private final Streams streams;
  private final RequestDispatcher dispatcher;

  Actions(Execution execution, Ports ports, Streams streams, RequestDispatcher dispatcher) {
    this.store = ports.store();
    this.authors = ports.authors();
    this.cluster = ports.cluster();
    this.loop = execution.loop();
    this.ids = new ActionIds(execution.chance());
    this.streams = streams;
    this.dispatcher = dispatcher;
  }

  void mount(Router router) {
    router
        .routeWithRegex("/v1/action" + Formats.SUFFIX)
        .setName("/v1/action")
        .handler(dispatcher.on("/v1/action", this::register));
    router
        .routeWithRegex("/v1/wait_action" + Formats.SUFFIX)
        .setName("/v1/wait_action")
        .handler(
            dispatcher.on(
                "/v1/wait_action",
                context -> {
                  RequestDispatcher.streams(context);
                  return await(context);
                }));
    router
        .routeWithRegex("/v1/pending_actions" + Formats.SUFFIX)
        .setName("/v1/pending_actions")
        .handler(dispatcher.at("/v1/pending_actions", this::pending));
    router
        .routeWithRegex("/v1/action_is_pending/(?<id>\\d{1,20})")
        .setName("/v1/action_is_pending/{id}")
        .handler(dispatcher.at("/v1/action_is_pending/{id}", this::isPending));
  }

  private Future<Void> register(RoutingContext context) {
    return put(context)
        .map(
            action -> {
              Formats.send(
                  context.request(),
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("registered", Long.parseLong(action.name())));
              return null;
            });
  }

  private Future<Void> await(RoutingContext context) {
    streams.enter();
    context.addEndHandler(ended -> loop.execute(streams::leave));
    return put(context)
        .compose(action -> WaitingClient.begin(store, loop, action, WAIT_LIMIT, context))
        .map(
            answer -> {
              if (answer.isPresent()) {
                Formats.send(context.request(), Buffer.buffer(Json.canonical(answer.get())));
              } else if (!context.response().ended()) {
                context.response().setStatusCode(204).end();
              }
              return null;
            });
  }

  private Future<Resource<Action.Spec, Action.Status>> put(RoutingContext context) {
    if (!cluster.leads()) {
      throw RequestProblem.of(
          503, "ServiceUnavailable", "this node is not the leader; send the request to the leader");
    }
    var request = request(context);
    if (store.list(Action.KIND).stream().filter(Action::pending).count() >= MOST_PENDING) {
      throw RequestProblem.tooMany(
          ("%d actions are pending already; see /v1/pending_actions, and try again when the"
                  + " scheduler has run")
              .formatted(MOST_PENDING));
    }
    var id = ids.next(loop.now(), name -> store.get(Action.KIND, name).isPresent());
    var action = Resource.of(Action.KIND, id, new Action.Spec(request, loop.now()));
    Admission.of(context).confirm(AccessVerb.CREATE, action);
    return new RequestStore(store, () -> authors.author(context.request()))
        .put(action)
        .onSuccess(
            registered ->
                LOG.info(
                    "action={} from={} request={}",
                    id,
                    Admission.of(context).caller().name(),
                    shortened(Json.canonical(request))));
  }

  private static Object request(RoutingContext context) {
    var type = context.request().getHeader("Content-Type");
    if (type != null && !type.equals(MediaTypes.JSON)) {
      throw RequestProblem.unsupported("an action needs the header Content-Type: application/json");
    }
    var body = context.body().buffer();
    if (body == null || body.length() == 0) {
      throw RequestProblem.badRequest("the request has no body; send the action as JSON");
    }
    if (body.length() > MOST_BYTES) {
      throw RequestProblem.of(
          413,
          "RequestEntityTooLarge",
          "an action may have at most %d bytes, this one has %d"
              .formatted(MOST_BYTES, body.length()));
    }
    try {
      var value = Json.parse(body.toString(StandardCharsets.UTF_8), "body");
      if (value == null) {
        throw RequestProblem.badRequest("null is not an action; send the action as JSON");
      }
      Json.canonical(value); // half of a surrogate pair cannot be stored
      return value;
    } catch (DecodeException | IllegalArgumentException malformed) {
      throw RequestProblem.badRequest("the body is not JSON: " + malformed.getMessage());
    }
  }

  private void pending(RoutingContext context) {
    var all = new StringJoiner(",", "{", "}");
    for (var action : store.list(Action.KIND)) {
      if (Action.pending(action)) {
        all.add("\"%s\":%s".formatted(action.name(), Json.canonical(action.spec().request())));
      }
    }
    Formats.send(context.request(), Buffer.buffer(all.toString()));
  }

  private void isPending(RoutingContext context) {
    var id = context.pathParam("id");
    try {
      var name = Long.toUnsignedString(Long.parseUnsignedLong(id));
      boolean pending = store.get(Action.KIND, name).filter(Action::pending).isPresent();
      Answer.send(
          context.request(),
          200,
          MediaTypes.JSON,
          StrictJson.json(JsonNodeFactory.instance.objectNode().put("pending", pending)));
    } catch (NumberFormatException tooLarge) {
      throw RequestProblem.notFound("no such action: " + id);
    }
  }

  private static String shortened(String text) {
    return text.length() <= LOGGED ? text : text.substring(0, LOGGED) + "...";
  }
}
