package verwalter.stores.engine;

import java.util.OptionalLong;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.testkit.ObjectStoreContract;

class MemoryStoreTest extends ObjectStoreContract {
  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    return new MemoryStore(world.clock(), world.uids(), new HistoryLimit(history, 64 << 20));
  }

  @Override
  protected OptionalLong visited(ObjectStore store) {
    return OptionalLong.of(((MemoryStore) store).figures().visited());
  }
}
