package verwalter.ui.v1;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.port.Queries;

/** {@code /v1/roles_data} and {@code /v1/query/<tail>}. */
final class QueryRoutes {
  /** The maximum number of queries at a time; each may take as long as its budget allows. */
  private static final int MOST = 4;

  private final ObjectStore store;
  private final Loop loop;
  private final Queries queries;
  private final RequestDispatcher dispatcher;
  private int asked;

  QueryRoutes(ObjectStore store, Loop loop, Queries queries, RequestDispatcher dispatcher) {
    this.store = store;
    this.loop = loop;
    this.queries = queries;
    this.dispatcher = dispatcher;
  }

  void mount(Router router) {
    router
        .routeWithRegex("/v1/roles_data(\\.[^/]*)?/?")
        .setName("/v1/roles_data")
        .handler(dispatcher.on("/v1/roles_data", this::roles));
    router
        .routeWithRegex("/v1/query/.*")
        .setName("/v1/query/{path}")
        .handler(dispatcher.on("/v1/query", this::query));
  }

  private Future<Void> roles(RoutingContext context) {
    var schedule = schedule();
    return answer(context, () -> Optional.of(queries.roles(schedule)));
  }

  private Future<Void> query(RoutingContext context) {
    if (!MediaTypes.JSON.equals(context.request().getHeader("Content-Type"))) {
      throw RequestProblem.of(
          415, "UnsupportedMediaType", "a query needs the header Content-Type: application/json");
    }
    var body = body(context);
    var path = context.request().path().substring("/v1/query/".length());
    var schedule = schedule();
    return answer(context, () -> Optional.ofNullable(queries.query(schedule, path, body)));
  }

  private static @Nullable Object body(RoutingContext context) {
    var sent = context.body().buffer();
    try {
      return Json.parse(sent == null ? "" : sent.toString());
    } catch (DecodeException malformed) {
      throw RequestProblem.badRequest("the query is not JSON: " + malformed.getMessage());
    }
  }

  private Schedule.Spec schedule() {
    return store
        .get(Schedule.KIND, Schedule.CURRENT)
        .map(current -> current.spec())
        .filter(Schedule.Spec::decided)
        .orElseThrow(
            () -> RequestProblem.of(500, "NoSchedule", "no schedule has been decided yet"));
  }

  private Future<Void> answer(RoutingContext context, Callable<Optional<Object>> question) {
    if (asked >= MOST) {
      throw RequestProblem.of(
          429, "TooManyRequests", MOST + " queries are running; try again in a second");
    }
    asked++;
    return loop.offload(question)
        .onComplete(done -> asked--)
        .recover(failure -> Future.failedFuture(refusal(failure)))
        .map(
            answer -> {
              V1Api.sendValue(context.request(), answer.orElse(null));
              return null;
            });
  }

  private static Throwable refusal(Throwable failure) {
    return failure instanceof Scheduler.Failed failed
        ? RequestProblem.of(500, "QueryFailed", String.valueOf(failed.getMessage()))
        : failure;
  }
}
