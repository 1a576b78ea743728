package verwalter.cluster.forks;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import verwalter.cluster.sides.MinorityPolicy.Conduct;

/** Combines the shares of a node by what the node does for each role. Pure. */
final class SideRoles {
  /**
   * The roles that the node is to run.
   *
   * @param log what its share of the schedule in the log says of each role
   * @param fork what its share of the side's schedule says
   * @param conduct what the node does for a role
   */
  static <V> Map<String, V> of(
      Map<String, V> log, Map<String, V> fork, Function<String, Conduct> conduct) {
    var names = new TreeSet<>(log.keySet());
    names.addAll(fork.keySet());
    var roles = new TreeMap<String, V>();
    for (var name : names) {
      var share =
          switch (conduct.apply(name)) {
            case FOLLOW_LOG, KEEP, KEEP_LOCAL -> log;
            case FOLLOW_FORK -> fork;
            case STOP -> Map.<String, V>of();
          };
      if (share.containsKey(name)) {
        roles.put(name, share.get(name));
      }
    }
    return roles;
  }

  private SideRoles() {}
}
