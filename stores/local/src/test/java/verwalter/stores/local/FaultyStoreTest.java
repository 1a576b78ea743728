package verwalter.stores.local;

import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;
import verwalter.stores.testkit.ObjectStoreContract;

/** Without faults, the fault injector keeps every promise of a store. */
class FaultyStoreTest extends ObjectStoreContract {
  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    var real = new MemoryStore(world.clock(), world.uids(), new HistoryLimit(history, 64 << 20));
    return new FaultyStore(real, world, Faults.NONE);
  }
}
