package verwalter.cluster.sides;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that store the log of the cluster, each with its number in the ensemble. {@link #next}
 * says how the set should change. Pure.
 *
 * <p>One node is the elector of a cluster of one or two nodes. From three nodes on there are as
 * many as wanted, an odd number. The set changes by one node at a time, and only if more than half
 * of the electors are reachable before and after the change. It grows only if there are enough
 * nodes for the next odd number. An elector that has been unreachable for long is removed after
 * another node has taken its part; without such a node it stays. One that leaves the cluster is
 * removed in any case, except for the last one.
 *
 * @param members the electors by machine id
 * @param lastId the largest number that an elector ever had
 */
public record Electors(SortedMap<String, Long> members, long lastId) {
  public Electors {
    members = Collections.unmodifiableSortedMap(members);
  }

  /**
   * What operators want.
   *
   * @param wanted the number of electors: 1, 3, 5 or 7
   * @param replaceAfter for how long an elector is unreachable before another node replaces it
   * @param steady for how long a node must be reachable before it becomes an elector
   */
  public record ElectorPlan(int wanted, Duration replaceAfter, Duration steady) {
    /** Three electors; a lost one is replaced after five minutes. */
    public static final ElectorPlan DEFAULT =
        new ElectorPlan(3, Duration.ofMinutes(5), Duration.ofSeconds(30));

    public ElectorPlan {
      if (wanted < 1 || wanted > 7 || wanted % 2 == 0) {
        throw new IllegalArgumentException(
            "the number of electors must be 1, 3, 5 or 7, not " + wanted);
      }
    }
  }

  /** The first elector of a new cluster. */
  public static Electors first(String machine) {
    return new Electors(new TreeMap<>(Map.of(machine, 1L)), 1);
  }

  /** The electors after a change. */
  public Electors after(ElectorChange change) {
    var next = new TreeMap<>(members);
    if (change instanceof ElectorChange.Add add) {
      next.put(add.machine(), add.id());
      return new Electors(next, Math.max(lastId, add.id()));
    }
    next.remove(change.machine());
    return new Electors(next, lastId);
  }

  /**
   * The next change; empty if the set is as it should be, or a change would not be safe now.
   *
   * @param nodes all nodes of the cluster
   * @param leader machine id of the leader, which is removed last
   */
  public Optional<ElectorChange> next(
      Collection<ElectorNode> nodes, ElectorPlan plan, Optional<String> leader) {
    var known = new HashMap<String, ElectorNode>();
    nodes.forEach(node -> known.put(node.machine(), node));
    var zones = zones(known);
    var lost = lost(known, plan);
    int good = members.size() - lost.size();
    var candidates = candidates(known, zones, plan);
    var candidate = candidates.stream().findFirst();
    int staying = (int) nodes.stream().filter(node -> !node.leaving()).count();
    int target = target(staying, plan.wanted());
    if (lost.isEmpty()) {
      target = Math.min(target, target(good + candidates.size(), plan.wanted()));
    }
    if (good < target && candidate.isPresent()) {
      return safe(new ElectorChange.Add(candidate.get(), lastId + 1), known);
    }
    // Without a candidate the lost ones stay, as they may return. A removed node does not.
    boolean enough = good >= target;
    int most = target;
    var removable =
        lost.stream()
            .filter(machine -> enough || isGone(known.get(machine)))
            .filter(machine -> members.size() > 1)
            .findFirst()
            .or(() -> surplus(known, zones, most, good, leader));
    return removable.flatMap(machine -> safe(new ElectorChange.Remove(machine), known));
  }

  private static boolean isGone(@Nullable ElectorNode node) {
    return node == null || node.leaving();
  }

  /** The number of electors of a cluster of this size. */
  static int target(int nodes, int wanted) {
    int most = Math.min(wanted, nodes);
    return most < 3 ? 1 : most - (1 - most % 2);
  }

  /** The electors that need another one in their place: removed nodes first, then the longest. */
  private List<String> lost(Map<String, ElectorNode> known, ElectorPlan plan) {
    var lost =
        new ArrayList<>(
            members.keySet().stream().filter(machine -> isGone(known.get(machine))).toList());
    known.values().stream()
        .filter(node -> members.containsKey(node.machine()))
        .filter(node -> !node.reachable() && !node.leaving())
        .filter(node -> node.since().compareTo(plan.replaceAfter()) >= 0)
        .sorted(
            Comparator.comparing(ElectorNode::since).reversed().thenComparing(ElectorNode::machine))
        .forEach(node -> lost.add(node.machine()));
    return lost;
  }

  /** The number of reachable electors in each zone. */
  private Map<String, Long> zones(Map<String, ElectorNode> known) {
    return known.values().stream()
        .filter(node -> members.containsKey(node.machine()) && node.reachable())
        .collect(Collectors.groupingBy(ElectorNode::zone, Collectors.counting()));
  }

  /** Nodes of zones with the fewest electors first, then those that joined first. */
  private List<String> candidates(
      Map<String, ElectorNode> known, Map<String, Long> zones, ElectorPlan plan) {
    return known.values().stream()
        .filter(node -> !members.containsKey(node.machine()) && !node.leaving())
        .filter(node -> node.reachable() && node.since().compareTo(plan.steady()) >= 0)
        .sorted(
            Comparator.<ElectorNode>comparingLong(node -> zones.getOrDefault(node.zone(), 0L))
                .thenComparingLong(ElectorNode::joined)
                .thenComparing(ElectorNode::machine))
        .map(ElectorNode::machine)
        .toList();
  }

  /** The elector to remove if there are too many. */
  private Optional<String> surplus(
      Map<String, ElectorNode> known,
      Map<String, Long> zones,
      int target,
      int good,
      Optional<String> leader) {
    if (good <= target) {
      return Optional.empty();
    }
    return known.values().stream()
        .filter(node -> members.containsKey(node.machine()))
        .max(
            Comparator.<ElectorNode, Boolean>comparing(
                    node -> leader.filter(node.machine()::equals).isEmpty())
                .thenComparing(node -> !node.reachable())
                .thenComparing(node -> zones.getOrDefault(node.zone(), 0L))
                .thenComparing(ElectorNode::joined)
                .thenComparing(ElectorNode::machine))
        .map(ElectorNode::machine);
  }

  /** The change, if more than half of the electors are reachable before and after it. */
  private Optional<ElectorChange> safe(ElectorChange change, Map<String, ElectorNode> known) {
    return isReachable(known) && after(change).isReachable(known)
        ? Optional.of(change)
        : Optional.empty();
  }

  private boolean isReachable(Map<String, ElectorNode> known) {
    var reachable =
        known.values().stream()
            .filter(ElectorNode::reachable)
            .map(ElectorNode::machine)
            .collect(Collectors.toSet());
    return SideElection.isMajority(reachable, members.keySet());
  }
}
