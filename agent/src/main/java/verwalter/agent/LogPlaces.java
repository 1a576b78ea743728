package verwalter.agent;

import static java.util.Comparator.comparing;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.StoredState;
import verwalter.model.ClusterConfig;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/**
 * Decides which nodes run a server of the log: the electors, and {@link #SPARES} more that can
 * become electors at once. All others are observers. A node keeps its place until it is removed; if
 * it is lost for as long as an elector that is replaced, another one gets a place too. Pure.
 */
final class LogPlaces {
  /** The number of servers besides the electors. */
  static final int SPARES = 2;

  /**
   * What operators want.
   *
   * @param electors the number of electors
   * @param replaceAfter for how long a node is lost before another one takes its part
   */
  record Wanted(int electors, Duration replaceAfter) {
    int servers() {
      return electors + SPARES;
    }
  }

  /** What the settings of the cluster say. */
  static Wanted wanted(ObjectStore store) {
    var spec =
        store
            .get(ClusterConfig.KIND, ClusterConfig.NAME)
            .map(Resource::spec)
            .orElse(ClusterConfig.Spec.DEFAULT);
    return new Wanted(
        MembershipController.valid(spec).electors(),
        Duration.ofSeconds(spec.replaceElectorAfterSeconds()));
  }

  /** Whether a node that joins is to run a server. */
  static boolean isFree(ObjectStore store, Instant now) {
    var wanted = wanted(store);
    return servers(store.list(Node.KIND), wanted, now) < wanted.servers();
  }

  /** The observer that should run a server next; empty if there are enough, or no observer can. */
  static Optional<Resource<Node.Spec, Node.Status>> promoted(
      Collection<Resource<Node.Spec, Node.Status>> nodes, Wanted wanted, Instant now) {
    return servers(nodes, wanted, now) >= wanted.servers()
        ? Optional.empty()
        : nodes.stream()
            .filter(node -> ElectorPlace.of(node).isEmpty() && !node.meta().deleting())
            .filter(node -> node.meta().has(Node.MEMBER) && Node.machineId(node).isPresent())
            .filter(node -> ready(node).filter(Condition::isTrue).isPresent())
            .filter(LogPlaces::hasAddress)
            .min(
                comparing(
                        (Resource<Node.Spec, Node.Status> node) ->
                            node.meta().created().orElse(Instant.MAX))
                    .thenComparing(Resource::name));
  }

  private static boolean hasAddress(Resource<Node.Spec, Node.Status> node) {
    try {
      StoredState.addresses(node).forEach(Address::of);
      return !StoredState.addresses(node).isEmpty();
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /** The number of nodes with a place that stay and are not lost. */
  private static long servers(
      Collection<Resource<Node.Spec, Node.Status>> nodes, Wanted wanted, Instant now) {
    return nodes.stream()
        .filter(node -> ElectorPlace.of(node).isPresent() && !node.meta().deleting())
        .filter(
            node ->
                ready(node)
                    .filter(it -> !it.isTrue())
                    .filter(it -> !now.isBefore(it.since().plus(wanted.replaceAfter())))
                    .isEmpty())
        .count();
  }

  private static Optional<Condition> ready(Resource<Node.Spec, Node.Status> node) {
    return node.status()
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.READY));
  }

  private LogPlaces() {}
}
