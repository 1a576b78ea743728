package verwalter.stores.testkit;

import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** A counting store keeps all promises of the underlying store. */
class CountingStoreTest extends ObjectStoreContract {
  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    var limit = new HistoryLimit(history, 64 << 20);
    return new CountingStore(new MemoryStore(world.clock(), world.uids(), limit));
  }
}
