package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocks the main thread until a future completes. */
final class Waiting {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Returns the result, or throws the original failure. */
  static <V> V forResult(Future<V> future) throws Exception {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof Exception cause ? cause : failure;
    } catch (TimeoutException late) {
      throw new TimeoutException("no result within " + LIMIT.toSeconds() + " s");
    }
  }

  private Waiting() {}
}
