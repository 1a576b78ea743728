package verwalter.cluster.mirror;

import java.util.OptionalLong;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.ObjectStoreContract;

/** A node that does not lead: its own store beside that of the cluster. */
class RoutedStoreContractTest extends ObjectStoreContract {
  private MemoryStore node;

  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    var limit = new HistoryLimit(history, 64 << 20);
    node = new MemoryStore(world.clock(), world.uids(), limit);
    return new RoutedStore(new MemoryStore(world.clock(), world.uids(), limit), node);
  }

  @Override
  protected OptionalLong visited(ObjectStore store) {
    return OptionalLong.of(node.figures().visited());
  }
}
