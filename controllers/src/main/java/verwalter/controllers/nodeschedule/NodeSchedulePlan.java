package verwalter.controllers.nodeschedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.DeploymentRef;
import verwalter.model.Names;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.WantedRelease;
import verwalter.model.VersionImage;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceReleases;
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
   * @param releases the releases on the node
   */
  static NodeSchedulePlan of(
      String node,
      NodeSchedule.Spec share,
      List<Resource<RoleInstance.Spec, RoleInstance.Status>> present,
      Map<String, RoleInstance.Spec> orphans,
      List<DeploymentRef.Spec> releases) {
    var roles = share.roles();
    var writes = new ArrayList<Write>();
    var refused = new TreeMap<String, String>();
    var missing = new TreeMap<String, RoleInstance.Spec>();
    roles.forEach(
        (role, variables) -> {
          if (Names.isValid(RoleInstance.name(role, node))) {
            missing.put(role, instance(role, node, variables).withPolicies(share.settings(role)));
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
      var next =
          released(wanted, share, Optional.of(each.spec()), releases).withCountersOf(each.spec());
      if (!next.equals(each.spec())) {
        writes.add(new Write.Put(each.withSpec(next)));
      }
    }
    missing.forEach(
        (role, wanted) ->
            writes.add(new Write.Put(made(released(wanted, share, Optional.empty(), releases)))));
    orphans.forEach(
        (role, spec) -> {
          if (!roles.containsKey(role)) {
            writes.add(new Write.Put(made(spec)));
          }
        });
    return new NodeSchedulePlan(writes, refused);
  }

  /**
   * Adds the release of the version. Another version or image has another generation, unless the
   * node still has its release. An instance that vanished gets the release that it had, so that
   * nothing is replaced.
   */
  private static RoleInstance.Spec released(
      RoleInstance.Spec wanted,
      NodeSchedule.Spec share,
      Optional<RoleInstance.Spec> before,
      List<DeploymentRef.Spec> releases) {
    var image = share.settings(wanted.role()).image();
    if (image.isEmpty()) {
      return before.isEmpty() ? purged(wanted, releases) : wanted;
    }
    var last = before.flatMap(RoleInstance.Spec::release);
    if (last.filter(it -> it.image().equals(image.get())).isPresent()
        && before.flatMap(RoleInstance.Spec::version).equals(wanted.version())) {
      return wanted.withRelease(last);
    }
    var its = releases.stream().filter(it -> it.role().equals(wanted.role())).toList();
    var present =
        its.stream()
            .filter(it -> it.version().equals(wanted.version().orElse("")))
            .filter(it -> new VersionImage(it.source(), it.digest()).equals(image.get()))
            .filter(
                it ->
                    before.isEmpty()
                        || it.localGeneration() == before.get().purgeCounter().orElse(0L))
            .max(
                Comparator.comparingLong(DeploymentRef.Spec::generation)
                    .thenComparingLong(DeploymentRef.Spec::localGeneration));
    if (present.isPresent()) {
      return wanted
          .withRelease(Optional.of(new WantedRelease(image.get(), present.get().generation())))
          .withPurgeCounter(
              Optional.of(present.get().localGeneration()).filter(counter -> counter > 0));
    }
    long used =
        Math.max(
            last.map(WantedRelease::generation).orElse(0L),
            its.stream().mapToLong(DeploymentRef.Spec::generation).max().orElse(0));
    return wanted.withRelease(Optional.of(new WantedRelease(image.get(), used + 1)));
  }

  /** A service that vanished gets the releases that it had. */
  private static RoleInstance.Spec purged(
      RoleInstance.Spec wanted, List<DeploymentRef.Spec> releases) {
    var names =
        ScheduledServices.images(wanted.variables()).values().stream()
            .map(ServiceReleases::name)
            .toList();
    return wanted.withPurgeCounter(
        releases.stream()
            .filter(it -> it.role().equals(wanted.role()) && names.contains(it.version()))
            .map(DeploymentRef.Spec::localGeneration)
            .max(Comparator.naturalOrder())
            .filter(counter -> counter > 0));
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
