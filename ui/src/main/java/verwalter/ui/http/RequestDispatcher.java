package verwalter.ui.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.stores.api.StoreException;

/** Runs the handler of each request on the loop, and sends its errors to the client. */
public final class RequestDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(RequestDispatcher.class);
  private static final String STREAM = "verwalter.stream";
  private static final List<HttpMethod> METHODS =
      List.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.POST,
          HttpMethod.PUT,
          HttpMethod.PATCH,
          HttpMethod.DELETE);

  private final Loop loop;
  private final InstantSource clock;
  private final RequestMetrics metrics;
  private final Gate gate;

  /** A dispatcher of requests that pass {@code gate}. */
  public RequestDispatcher(Loop loop, InstantSource clock, RequestMetrics metrics, Gate gate) {
    this.gate = gate;
    this.loop = loop;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** Handles a request on the loop. A failed future or an exception becomes an error response. */
  @FunctionalInterface
  public interface Task {
    Future<Void> handle(RoutingContext context);
  }

  /** A handler for the router; {@code route} is the label in the metrics and in access rules. */
  public Handler<RoutingContext> on(String route, Task task) {
    gate.expect(route);
    return context -> {
      var begun = clock.instant();
      context.addEndHandler(
          ended -> {
            if (context.get(STREAM) == null) {
              var took = Duration.between(begun, clock.instant());
              loop.execute(() -> count(route, context, took));
            }
          });
      try {
        loop.execute(() -> run(route, task, context));
      } catch (RejectedExecutionException closed) {
        fail(context, RequestProblem.of(503, "ServiceUnavailable", "this node is shutting down"));
      }
    };
  }

  /** As {@link #on}, for responses that are complete at once. */
  public Handler<RoutingContext> at(String route, Handler<RoutingContext> answer) {
    return on(
        route,
        context -> {
          answer.handle(context);
          return Future.succeededFuture();
        });
  }

  /** Marks the response as a stream, whose duration is not measured. */
  public static void streams(RoutingContext context) {
    context.put(STREAM, true);
  }

  /** Counts a request that was refused before it reached a route. */
  public void refused(RoutingContext context) {
    loop.execute(() -> count("refused", context, Duration.ZERO));
  }

  private void count(String route, RoutingContext context, Duration took) {
    var method = context.request().method();
    metrics.answered(
        route,
        METHODS.contains(method) ? method.name() : "OTHER",
        context.response().getStatusCode(),
        took);
  }

  private void run(String route, Task task, RoutingContext context) {
    Future<Void> done;
    try {
      gate.admit(context, route);
      done = task.handle(context);
    } catch (RuntimeException e) {
      done = Future.failedFuture(e);
    }
    done.onFailure(failure -> fail(context, failure));
  }

  private static void fail(RoutingContext context, Throwable failure) {
    context.fail(problem(context, failure));
  }

  /** The error that the client gets; details that the client may not see go to the log. */
  public static RequestProblem problem(RoutingContext context, Throwable failure) {
    if (failure instanceof RequestProblem problem) {
      return problem;
    }
    if (failure instanceof StoreException refusal) {
      return RequestProblem.of(refusal);
    }
    log(context, failure);
    return RequestProblem.of(500, "InternalError", "internal error; see the log of this node");
  }

  /** Logs a failure. A client that disconnects must not be able to fill the log. */
  private static void log(RoutingContext context, Throwable failure) {
    var method = context.request().method();
    var path = context.request().path();
    if (LostConnection.duringRequest(failure, context.request().isEnded())
        || LostConnection.duringAnswer(failure, context.response().headWritten())) {
      LOG.debug("{} {} ended early: {}", method, path, failure.toString());
    } else {
      LOG.error("{} {} failed", method, path, failure);
    }
  }
}
