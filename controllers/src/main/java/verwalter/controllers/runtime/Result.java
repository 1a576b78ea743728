package verwalter.controllers.runtime;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of a successful reconcile. A failure is a failed future instead.
 *
 * @param again when to reconcile the key again even if no source names it
 */
public record Result(Optional<Duration> again) {
  public static final Result DONE = new Result(Optional.empty());

  public static Result again(Duration delay) {
    return new Result(Optional.of(delay));
  }

  /** {@link #DONE} as a completed future. */
  public static Future<Result> done() {
    return Future.succeededFuture(DONE);
  }
}
