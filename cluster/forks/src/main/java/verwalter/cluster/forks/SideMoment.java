package verwalter.cluster.forks;

import java.util.Map;
import java.util.Optional;
import verwalter.cluster.sides.MinorityPolicy.Conduct;
import verwalter.stores.api.ObjectStore;

/**
 * What other threads may know of a side.
 *
 * @param lost whether there is no leader of the log
 * @param fork the store of the fork, also until it is merged
 * @param isFork whether the node uses the fork
 * @param conducts what the node does for each role with a policy
 * @param others what it does for other roles
 */
record SideMoment(
    boolean lost,
    Optional<ObjectStore> fork,
    boolean isFork,
    Map<String, Conduct> conducts,
    Conduct others) {
  /** Whether the node does what the log says. */
  boolean isPlain() {
    return !lost
        && fork.isEmpty()
        && conducts.values().stream().allMatch(Conduct.FOLLOW_LOG::equals);
  }

  Conduct conduct(String role) {
    return conducts.getOrDefault(role, others);
  }
}
