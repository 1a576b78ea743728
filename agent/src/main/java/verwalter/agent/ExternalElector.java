package verwalter.agent;

import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.stores.api.ObjectStore;

/**
 * A node of a cluster whose log is in an ensemble that others run. Each node writes to it, so each
 * is an elector until it is removed.
 *
 * @param node the name of this node
 * @param first the place of the node that founds the cluster; others got theirs when they joined
 */
record ExternalElector(ObjectStore store, Loop loop, String node, Elector first)
    implements ElectorRole {
  @Override
  public Elector place() {
    return store
        .get(Node.KIND, node)
        .flatMap(ElectorPlace::of)
        .map(ElectorPlace::elector)
        .orElse(first);
  }

  @Override
  public boolean votes() {
    return store.get(Node.KIND, node).filter(it -> !it.meta().deleting()).isPresent();
  }

  @Override
  public boolean follows() {
    return true;
  }

  @Override
  public boolean isRemoved() {
    return false; // there is no server to remove
  }

  @Override
  public Watch watch(Runnable changed) {
    return store.watch(Node.KIND, loop, change -> changed.run());
  }
}
