package verwalter.agent;

import io.vertx.core.Future;
import java.util.List;
import verwalter.model.Resource;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The store of a leader. Each write is fenced by the epoch of its term, which stops a leader that
 * does not know about its successor. After the end of the term all writes are refused, which stops
 * a leader that was notified. Thread-safe.
 */
final class LeaderStore extends ForwardingStore<ObjectStore> {
  private final long epoch;
  private volatile boolean over;

  LeaderStore(ObjectStore real, long epoch) {
    super(real);
    this.epoch = epoch;
  }

  /** Refuses all later writes. */
  void end() {
    over = true;
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return over || !fence.admits(epoch)
        ? Future.failedFuture(new StoreException.Fenced(fence.epoch().orElse(epoch), real.epoch()))
        : real.commit(writes, Fence.epoch(epoch));
  }

  @Override
  public long epoch() {
    return epoch;
  }
}
