package verwalter.controllers.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.json.Json;

/**
 * The scheduler's input {@code instances}, by node. A change costs time proportional to the objects
 * of one node. Confined to the loop of its owner.
 */
final class ObservedInstances {
  /** The objects of one node. */
  private static final class OfNode {
    private final Map<String, Resource<RoleInstance.Spec, RoleInstance.Status>> instances =
        new TreeMap<>();
    private final Map<String, Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups =
        new TreeMap<>();
  }

  private final Map<String, OfNode> nodes = new HashMap<>();
  private final Map<String, OfNode> changed = new HashMap<>();
  private final TreeMap<String, Object> seen = new TreeMap<>();

  void instance(
      @Nullable Resource<RoleInstance.Spec, RoleInstance.Status> before,
      @Nullable Resource<RoleInstance.Spec, RoleInstance.Status> after) {
    if (before != null) {
      touched(before.spec().node()).instances.remove(before.name());
    }
    if (after != null) {
      touched(after.spec().node()).instances.put(after.name(), after);
    }
  }

  void group(
      @Nullable Resource<ProcessGroup.Spec, ProcessGroup.Status> before,
      @Nullable Resource<ProcessGroup.Spec, ProcessGroup.Status> after) {
    if (before != null) {
      touched(before.spec().node()).groups.remove(before.name());
    }
    if (after != null) {
      touched(after.spec().node()).groups.put(after.name(), after);
    }
  }

  private OfNode touched(String node) {
    var its = nodes.computeIfAbsent(node, any -> new OfNode());
    changed.put(node, its);
    return its;
  }

  /**
   * The instances by node and role. The value of a node that did not change is the same object as
   * at the last call.
   */
  Map<String, Object> input() {
    changed.forEach(
        (node, its) -> {
          var roles =
              Instances.of(List.copyOf(its.instances.values()), List.copyOf(its.groups.values()))
                  .get(node);
          if (roles == null) {
            seen.remove(node);
          } else {
            seen.put(node, Json.<Object>sharing(Json.freeze(roles), seen.get(node)));
          }
          if (its.instances.isEmpty() && its.groups.isEmpty()) {
            nodes.remove(node);
          }
        });
    changed.clear();
    return Json.freeze(new TreeMap<>(seen));
  }
}
