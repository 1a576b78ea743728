package verwalter.stores.testkit;

import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** A store that counts keeps every promise of the one behind it. */
class CountingStoreTest extends ObjectStoreContract {
  @Override
  protected ObjectStore newStore(VirtualWorld world, int history) {
    var limit = new HistoryLimit(history, 64 << 20);
    return new CountingStore(new MemoryStore(world.clock(), world.uids(), limit));
  }
}
