package verwalter.stores.engine;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction that waits to become an entry. Owned by its caller first, then by the writer. */
final class Pending {
  private static final Logger LOG = LoggerFactory.getLogger(Pending.class);

  /** The committed objects and the state after them. */
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

  /** The least epoch to begin, if it begins one. */
  OptionalLong epoch() {
    return epoch;
  }

  /** Completes when the writer has processed it. */
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

  /** Sets the result that it has if it does not fail. */
  void become(Outcome outcome) {
    failure = outcome.refusal();
    done = new Done(outcome.results(), outcome.state());
  }

  /** Makes it fail, even if a result was set. */
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
      LOG.error(
          "a listener of a write threw an exception; listeners must return to their own loop",
          inListener);
    }
  }
}
