package verwalter.controllers.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.NodeSchedule;
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
    private @Nullable Resource<NodeSchedule.Spec, NodeSchedule.Status> share;

    private boolean isEmpty() {
      return instances.isEmpty() && groups.isEmpty() && share == null;
    }

    /** Every role of a node that has not reported any is unknown, and may run. */
    private @Nullable Object roles(String node) {
      if (instances.isEmpty() && share != null) {
        return Instances.unknown(share.spec());
      }
      return Instances.of(List.copyOf(instances.values()), List.copyOf(groups.values())).get(node);
    }
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

  void share(
      @Nullable Resource<NodeSchedule.Spec, NodeSchedule.Status> before,
      @Nullable Resource<NodeSchedule.Spec, NodeSchedule.Status> after) {
    if (before != null) {
      touched(before.name()).share = null;
    }
    if (after != null) {
      touched(after.name()).share = after.spec().roles().isEmpty() ? null : after;
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
          var roles = its.roles(node);
          if (roles == null) {
            seen.remove(node);
          } else {
            seen.put(node, Json.<Object>sharing(Json.freeze(roles), seen.get(node)));
          }
          if (its.isEmpty()) {
            nodes.remove(node);
          }
        });
    changed.clear();
    return Json.freeze(new TreeMap<>(seen));
  }
}
