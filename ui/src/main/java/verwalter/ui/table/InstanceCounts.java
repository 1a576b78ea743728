package verwalter.ui.table;

import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;

/**
 * The number of role instances in each state. An instance that a node should run and that is not
 * known here is {@link #UNKNOWN}: nodes report their instances, and a new leader or a node without
 * a leader has no reports of some nodes.
 */
public final class InstanceCounts {
  /** The state of an instance that its node has not reported. */
  public static final String UNKNOWN = "Unknown";

  /** Returns the number of instances by the words of the column {@code Status}. */
  public static SortedMap<String, Integer> of(ObjectStore store) {
    var counts = new TreeMap<String, Integer>();
    for (var instance : store.list(RoleInstance.KIND)) {
      counts.merge(RoleInstanceColumns.word(instance).orElse(UNKNOWN), 1, Integer::sum);
    }
    int unknown = unreported(store);
    if (unknown > 0) {
      counts.merge(UNKNOWN, unknown, Integer::sum);
    }
    return counts;
  }

  /** Returns the number of instances that nodes should run and that are not known here. */
  public static int unreported(ObjectStore store) {
    int unknown = 0;
    for (Resource<NodeSchedule.Spec, NodeSchedule.Status> share : store.list(NodeSchedule.KIND)) {
      for (var role : share.spec().roles().keySet()) {
        if (store.get(RoleInstance.KIND, RoleInstance.name(role, share.name())).isEmpty()) {
          unknown++;
        }
      }
    }
    return unknown;
  }

  private InstanceCounts() {}
}
