package verwalter.agent;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;

/**
 * A node of a cluster whose log is in an external ensemble. Each node writes to it, so each is an
 * elector until it is removed.
 *
 * @param node the name of this node
 * @param machine the machine id of this node. Another machine may have joined with its name
 * @param first the place of the node that founds the cluster; others got theirs when they joined
 */
record ExternalElector(ObjectStore store, Loop loop, String node, String machine, Elector first)
    implements ElectorRole {
  /**
   * The names of the nodes that are electors: all that are not being removed, and if there is none,
   * the first of them, since one has to lead.
   */
  static Set<String> electors(Collection<Resource<Node.Spec, Node.Status>> nodes) {
    var staying =
        nodes.stream()
            .filter(each -> !each.meta().deleting())
            .map(Resource::name)
            .collect(Collectors.toSet());
    return staying.isEmpty()
        ? nodes.stream().map(Resource::name).sorted().limit(1).collect(Collectors.toSet())
        : staying;
  }

  private Optional<Resource<Node.Spec, Node.Status>> own() {
    return store
        .get(Node.KIND, node)
        .filter(known -> Node.machineId(known).filter(machine::equals).isPresent());
  }

  @Override
  public Elector place() {
    return own().flatMap(ElectorPlace::of).map(ElectorPlace::elector).orElse(first);
  }

  @Override
  public boolean votes() {
    return own().isPresent() && electors(store.list(Node.KIND)).contains(node);
  }

  @Override
  public boolean follows() {
    return own().isPresent();
  }

  @Override
  public boolean isRemoved() {
    return false; // there is no server to remove
  }

  @Override
  public Watch watch(Runnable changed) {
    return LastingWatch.of(store, Node.KIND, loop, change -> changed.run());
  }
}
