package verwalter.stores.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.api.StoreException;

/** Waits until a store has applied what another process has committed. Thread-safe. */
final class AwaitedRevision {
  private final LongSupplier present;
  private final TimedExecutor loop;
  private final ClusterOptions options;
  private final ConcurrentSkipListMap<Long, Promise<Void>> waiting = new ConcurrentSkipListMap<>();

  AwaitedRevision(LongSupplier present, TimedExecutor loop, ClusterOptions options) {
    this.present = present;
    this.loop = loop;
    this.options = options;
  }

  /** Completes when the store has this revision; fails if it does not have it in time. */
  Future<Void> reached(long revision) {
    if (present.getAsLong() >= revision) {
      return Future.succeededFuture();
    }
    var awaited = waiting.computeIfAbsent(revision, any -> Promise.promise());
    loop.after(options.patience(), () -> expired(revision));
    changed(); // it may have been applied meanwhile
    return awaited.future();
  }

  private void expired(long revision) {
    var late = waiting.remove(revision);
    if (late != null) {
      late.tryFail(
          new StoreException.Unavailable(
              "the leader has written it, but this node has not received it within %d s"
                  .formatted(options.patience().toSeconds())));
    }
  }

  /** The revision of the store has changed. */
  void changed() {
    if (waiting.isEmpty()) {
      return;
    }
    long reached = present.getAsLong();
    for (Map.Entry<Long, Promise<Void>> first = waiting.firstEntry();
        first != null && first.getKey() <= reached;
        first = waiting.firstEntry()) {
      waiting.remove(first.getKey(), first.getValue());
      first.getValue().tryComplete();
    }
  }
}
