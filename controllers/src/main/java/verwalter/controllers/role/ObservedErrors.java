package verwalter.controllers.role;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.InstanceError;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

/**
 * The errors of all instances, updated with each change of an object. A change costs the same for
 * any number of nodes, and returns only the roles whose errors may be others than before.
 */
final class ObservedErrors {
  /** What a node reports about one role. */
  private record Report(boolean known, Optional<InstanceError> error) {}

  /**
   * The roles that a node should run.
   *
   * @param taken whether each of them has an instance
   */
  private record Share(Set<String> roles, boolean taken) {
    static final Share NONE = new Share(Set.of(), true);
  }

  /** The reports by role and node. */
  private final Map<String, TreeMap<String, Report>> reports = new HashMap<>();

  /** The roles with a report, by node. */
  private final Map<String, Set<String>> reported = new HashMap<>();

  private final Map<String, Share> shares = new HashMap<>();

  /** The nodes that should run a role, by role. */
  private final Map<String, Set<String>> assigned = new HashMap<>();

  /** The nodes whose agents are known to run, or to have stopped. */
  private final Set<String> heard = new HashSet<>();

  /** Applies a change of an instance; {@code after} is null if it was removed. */
  Stream<String> instance(
      @Nullable Resource<RoleInstance.Spec, RoleInstance.Status> before,
      @Nullable Resource<RoleInstance.Spec, RoleInstance.Status> after) {
    if (after != null) {
      var spec = after.spec();
      var report =
          new Report(
              after.status().isPresent(), after.status().flatMap(RoleInstance.Status::error));
      in(reported, spec.node()).add(spec.role());
      var its = reports.computeIfAbsent(spec.role(), role -> new TreeMap<>());
      return report.equals(its.put(spec.node(), report)) ? Stream.empty() : Stream.of(spec.role());
    }
    if (before == null) {
      return Stream.empty();
    }
    var spec = before.spec();
    remove(reported, spec.node(), spec.role());
    Optional.ofNullable(reports.get(spec.role())).ifPresent(its -> its.remove(spec.node()));
    return Stream.of(spec.role());
  }

  /** Applies a change of a node; {@code after} is null if it was removed. */
  Stream<String> node(String name, @Nullable Resource<Node.Spec, Node.Status> after) {
    boolean changed = (after != null && isHeard(after)) ? heard.add(name) : heard.remove(name);
    return changed
        ? Stream.concat(
                reported.getOrDefault(name, Set.of()).stream(),
                shares.getOrDefault(name, Share.NONE).roles().stream())
            .distinct()
        : Stream.empty();
  }

  private static boolean isHeard(Resource<Node.Spec, Node.Status> node) {
    return node.status()
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.READY))
        .filter(ready -> ready.status() != Condition.Truth.UNKNOWN)
        .isPresent();
  }

  /** Applies a change of a node's schedule; {@code after} is null if it was removed. */
  Stream<String> share(
      String node, @Nullable Resource<NodeSchedule.Spec, NodeSchedule.Status> after) {
    var next =
        after == null
            ? Share.NONE
            : new Share(Set.copyOf(after.spec().roles().keySet()), isTaken(after));
    var before = shares.put(node, next);
    var last = before == null ? Share.NONE : before;
    if (next.equals(last)) {
      return Stream.empty();
    }
    last.roles().forEach(role -> remove(assigned, role, node));
    next.roles().forEach(role -> in(assigned, role).add(node));
    return Stream.concat(last.roles().stream(), next.roles().stream())
        .distinct()
        .filter(role -> !reported.getOrDefault(node, Set.of()).contains(role));
  }

  private static boolean isTaken(Resource<NodeSchedule.Spec, NodeSchedule.Status> share) {
    return share
        .status()
        .filter(status -> status.observedGeneration() == share.meta().generation())
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.ACCEPTED))
        .filter(Condition::isTrue)
        .isPresent();
  }

  /** The errors of a role. Costs as much as the role has nodes. */
  RoleErrors of(String role) {
    var errors = new TreeMap<String, InstanceError>();
    var unknown = new TreeSet<String>();
    var its = reports.getOrDefault(role, new TreeMap<>());
    its.forEach(
        (node, report) -> {
          if (!heard.contains(node) || !report.known()) {
            unknown.add(node);
          } else {
            report.error().ifPresent(error -> errors.put(node, error));
          }
        });
    assigned.getOrDefault(role, Set.of()).stream()
        .filter(node -> !its.containsKey(node))
        .filter(node -> !heard.contains(node) || !shares.getOrDefault(node, Share.NONE).taken())
        .forEach(unknown::add);
    return new RoleErrors(errors, unknown);
  }

  private static Set<String> in(Map<String, Set<String>> sets, String key) {
    return sets.computeIfAbsent(key, any -> new HashSet<>());
  }

  private static void remove(Map<String, Set<String>> sets, String key, String value) {
    var its = sets.get(key);
    if (its != null && its.remove(value) && its.isEmpty()) {
      sets.remove(key);
    }
  }
}
