package verwalter.stores.engine;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that waits to become an entry. Belongs to its caller first, then to the writer. */
final class Pending {
  private static final Logger LOG = LoggerFactory.getLogger(Pending.class);

  /** What was committed: the objects as written, and the state after them. */
  record Done(List<Stored> results, State state) {}

  private final List<Entry.Change> changes;
  private final OptionalLong fence;
  private final OptionalLong epoch;
  private final Promise<Done> promise = Promise.promise();
  private @Nullable Done done;
  private @Nullable RuntimeException failure;

  private Pending(List<Entry.Change> changes, OptionalLong fence, OptionalLong epoch) {
    this.changes = changes;
    this.fence = fence;
    this.epoch = epoch;
  }

  static Pending transaction(List<Entry.Change> changes, OptionalLong fence) {
    return new Pending(changes, fence, OptionalLong.empty());
  }

  static Pending epoch(long atLeast) {
    return new Pending(List.of(), OptionalLong.empty(), OptionalLong.of(atLeast));
  }

  List<Entry.Change> changes() {
    return changes;
  }

  OptionalLong fence() {
    return fence;
  }

  /** The least epoch that it is to begin, if it is to begin one. */
  OptionalLong epoch() {
    return epoch;
  }

  /** Completes once the writer is through with it. */
  Future<Done> future() {
    return promise.future();
  }

  long bytes() {
    long sum = 0;
    for (var each : changes) {
      sum += each.size();
    }
    return sum;
  }

  /** What it will give, unless it fails after all. */
  void become(Outcome outcome) {
    failure = outcome.refusal();
    done = new Done(outcome.results(), outcome.state());
  }

  /** It fails, whatever was decided. */
  void fail(RuntimeException why) {
    failure = failure == null ? why : failure;
  }

  void complete() {
    try {
      if (failure != null) {
        promise.fail(failure);
      } else if (done != null) {
        promise.complete(done);
      } else {
        promise.fail(new IllegalStateException("nothing was decided"));
      }
    } catch (RuntimeException inListener) {
      LOG.error("a listener of a write threw; it should have gone to its own loop", inListener);
    }
  }
}
