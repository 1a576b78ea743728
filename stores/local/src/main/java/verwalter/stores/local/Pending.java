package verwalter.stores.local;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.model.Resource;
import verwalter.stores.api.Fence;

/** A transaction on its way. Belongs to its caller first, then to the writer. */
final class Pending {
  private static final Logger LOG = LoggerFactory.getLogger(Pending.class);

  private final List<Draft> drafts;
  private final Fence fence;
  private final Promise<List<Resource<?, ?>>> done = Promise.promise();
  private List<Resource<?, ?>> results = List.of();
  private @Nullable RuntimeException failure;

  Pending(List<Draft> drafts, Fence fence) {
    this.drafts = drafts;
    this.fence = fence;
  }

  Fence fence() {
    return fence;
  }

  List<Draft> drafts() {
    return drafts;
  }

  /** Completes once the writer is through with it. */
  Future<List<Resource<?, ?>>> future() {
    return done.future();
  }

  long bytes() {
    return drafts.stream().mapToLong(draft -> draft.length()).sum();
  }

  /** What it will give, unless it fails after all. */
  void succeed(List<Resource<?, ?>> with) {
    results = with;
  }

  /** It fails, for the first reason given. */
  void fail(RuntimeException why) {
    failure = failure == null ? why : failure;
  }

  void complete() {
    try {
      if (failure == null) {
        done.complete(results);
      } else {
        done.fail(failure);
      }
    } catch (RuntimeException inListener) {
      LOG.error("a listener of a write threw; it should have gone to its own loop", inListener);
    }
  }
}
