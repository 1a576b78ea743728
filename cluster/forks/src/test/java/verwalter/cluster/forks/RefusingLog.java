package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.model.Resource;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;

/** A log whose leader may be lost before anybody has noticed: writes fail. */
final class RefusingLog extends ForwardingEpochStore<MemoryStore> {
  private final InstantSource clock;
  private final List<Instant> refused = new ArrayList<>();
  private boolean refuses;

  RefusingLog(InstantSource clock, Supplier<String> uids) {
    super(new MemoryStore(clock, uids));
    this.clock = clock;
  }

  /** Refuses writes from now on, or accepts them. */
  void refuse(boolean next) {
    refuses = next;
  }

  /** When writes were refused. */
  List<Instant> refused() {
    return List.copyOf(refused);
  }

  private Optional<StoreException> refusal() {
    if (!refuses) {
      return Optional.empty();
    }
    refused.add(clock.instant());
    return Optional.of(new StoreException.Unavailable("there is no leader"));
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return refusal()
        .<Future<List<Resource<?, ?>>>>map(Future::failedFuture)
        .orElseGet(() -> super.commit(writes, fence));
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return refusal()
        .<Future<Long>>map(Future::failedFuture)
        .orElseGet(() -> super.beginEpoch(atLeast));
  }
}
