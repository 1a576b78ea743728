package verwalter.controllers.nodeschedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.Write;

/**
 * Computes the writes that bring a node's role instances to what its share of the schedule asks
 * for. Pure.
 *
 * @param writes the differences
 * @param refused roles whose names are not valid object names, with the reason
 */
record NodeSchedulePlan(List<Write> writes, Map<String, String> refused) {

  /** No writes and no refused roles. */
  static final NodeSchedulePlan NOTHING = new NodeSchedulePlan(List.of(), Map.of());

  /**
   * Computes the plan for the roles of the node.
   *
   * @param present the existing instances
   * @param orphans the specs of instances that vanished and left children, by role. If their role
   *     is not wanted any more, they are made again, so that their removal ends the children.
   */
  static NodeSchedulePlan of(
      String node,
      Map<String, Map<String, Object>> roles,
      List<Resource<RoleInstance.Spec, RoleInstance.Status>> present,
      Map<String, RoleInstance.Spec> orphans) {
    var writes = new ArrayList<Write>();
    var refused = new TreeMap<String, String>();
    var missing = new TreeMap<String, RoleInstance.Spec>();
    roles.forEach(
        (role, variables) -> {
          if (Names.isValid(RoleInstance.name(role, node))) {
            missing.put(role, instance(role, node, variables));
          } else {
            refused.put(role, "a role's name has " + Names.RULE);
          }
        });
    for (var each : present) {
      var wanted = missing.remove(each.spec().role());
      if (each.meta().deleting()) {
        continue; // must be removed before it can be created again
      }
      if (wanted == null) {
        writes.add(new Write.Remove(each));
        continue;
      }
      var next = wanted.withCountersOf(each.spec());
      if (!next.equals(each.spec())) {
        writes.add(new Write.Put(each.withSpec(next)));
      }
    }
    missing.forEach((role, wanted) -> writes.add(new Write.Put(made(wanted))));
    orphans.forEach(
        (role, spec) -> {
          if (!roles.containsKey(role)) {
            writes.add(new Write.Put(made(spec)));
          }
        });
    return new NodeSchedulePlan(writes, refused);
  }

  private static RoleInstance.Spec instance(
      String role, String node, Map<String, Object> variables) {
    return new RoleInstance.Spec(
        role,
        node,
        variables.get("template") instanceof String template ? template : "",
        variables.get("version") instanceof String version
            ? Optional.of(version)
            : Optional.empty(),
        variables);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> made(RoleInstance.Spec wanted) {
    var made =
        Resource.of(RoleInstance.KIND, RoleInstance.name(wanted.role(), wanted.node()), wanted);
    return made.withMeta(
        made.meta()
            .withLabels(Map.of("role", wanted.role(), "node", wanted.node()))
            .withFinalizers(List.of(RoleInstance.FINALIZER)));
  }
}
