package verwalter.stores.local;

import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;
import verwalter.stores.testkit.ObjectStoreContract;

/** With its faults off, the fault injector keeps every promise; else its findings mean nothing. */
class FaultyStoreTest extends ObjectStoreContract {
  @Override
  protected ObjectStore newStore(VirtualWorld world, int history) {
    var real = new MemoryStore(world.clock(), world.uids(), new HistoryLimit(history, 64 << 20));
    return new FaultyStore(real, world, Faults.NONE);
  }
}
