package verwalter.stores.local;

import verwalter.stores.api.ObjectStore;
import verwalter.stores.testkit.ObjectStoreContract;
import verwalter.stores.testkit.VirtualWorld;

class MemoryStoreTest extends ObjectStoreContract {
  @Override
  protected ObjectStore newStore(VirtualWorld world, int history) {
    return new MemoryStore(world.clock(), world.uids(), new HistoryLimit(history, 64 << 20));
  }
}
