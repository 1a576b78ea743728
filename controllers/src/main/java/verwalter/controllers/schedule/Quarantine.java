package verwalter.controllers.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.Scheduler;

/**
 * The roles that the scheduler in force fails with, until their metadata or the scheduler changes.
 * Owned by the reconciler's loop.
 */
final class Quarantine {
  private final Map<ResourceKey, Why> roles = new HashMap<>();
  private @Nullable Scheduler scheduler;

  private record Why(RoleConfig.Spec spec, String problem) {}

  /** Empties the quarantine if another scheduler is in force. */
  void by(Scheduler inForce) {
    if (scheduler != inForce) {
      scheduler = inForce;
      roles.clear();
    }
  }

  void add(List<Resource<RoleConfig.Spec, RoleConfig.Status>> all, Map<ResourceKey, String> more) {
    for (var role : all) {
      var problem = more.get(role.key());
      if (problem != null) {
        roles.put(role.key(), new Why(role.spec(), problem));
      }
    }
  }

  Set<ResourceKey> among(List<Resource<RoleConfig.Spec, RoleConfig.Status>> all) {
    return all.stream()
        .filter(role -> problem(role).isPresent())
        .map(Resource::key)
        .collect(Collectors.toSet());
  }

  /** The error that the role's present spec causes, if it is in quarantine. */
  Optional<String> problem(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    return Optional.ofNullable(roles.get(role.key()))
        .filter(why -> why.spec().equals(role.spec()))
        .map(Why::problem);
  }
}
