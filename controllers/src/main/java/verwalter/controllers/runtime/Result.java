package verwalter.controllers.runtime;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * What a successful reconcile asks of the queue; failures are failed futures instead.
 *
 * @param again when to look at the key again even if nobody names it
 */
public record Result(Optional<Duration> again) {
  public static final Result DONE = new Result(Optional.empty());

  public static Result again(Duration delay) {
    return new Result(Optional.of(delay));
  }

  /** {@link #DONE}, as a reconciler gives it. */
  public static Future<Result> done() {
    return Future.succeededFuture(DONE);
  }
}
