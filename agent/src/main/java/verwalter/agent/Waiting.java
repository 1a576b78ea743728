package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for futures on the main thread, which nothing else runs on. */
final class Waiting {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The result, or the failure as it was. */
  static <V> V forResult(Future<V> future) throws Exception {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof Exception cause ? cause : failure;
    } catch (TimeoutException late) {
      throw new TimeoutException("nothing came of it in " + LIMIT.toSeconds() + " s");
    }
  }

  private Waiting() {}
}
