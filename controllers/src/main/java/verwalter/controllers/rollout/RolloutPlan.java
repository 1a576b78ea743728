package verwalter.controllers.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.controllers.rollout.ScheduledVersion.Update;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.Rollout;
import verwalter.model.Rollout.OnNode;
import verwalter.model.Rollout.Outcome;
import verwalter.stores.api.Write;

/**
 * What to write about the rollouts of one role, and in its conditions {@code RolledOut} and {@code
 * Placed}. Pure.
 *
 * @param role the configuration of the role
 * @param wanted what the schedule wants
 * @param nodes the nodes that shall run the role or do; empty for one that has not reported it
 * @param rollouts the rollouts of the role, the oldest first
 * @param now the time of what is written
 */
record RolloutPlan(
    Resource<RoleConfig.Spec, RoleConfig.Status> role,
    ScheduledVersion wanted,
    Map<String, Optional<RoleOnNode>> nodes,
    List<Resource<Rollout.Spec, Rollout.Status>> rollouts,
    Instant now) {

  /** The writes; none if the objects are right already. */
  List<Write> writes() {
    var writes = new ArrayList<Write>();
    var last = rollouts.isEmpty() ? null : rollouts.get(rollouts.size() - 1);
    if (last != null && Rollout.open(last)) {
      var next = status(last.spec(), last.status());
      if (last.status().filter(next::equals).isEmpty()) {
        writes.add(new Write.PutStatus(last.withStatus(next)));
      }
      last = last.withStatus(next);
    }
    if (last == null || isOver(last)) {
      var spec = next(Optional.ofNullable(last));
      writes.add(
          new Write.Put(
              Resource.of(Rollout.KIND, Rollout.name(spec.role(), spec.number()), spec)
                  .withStatus(status(spec, Optional.empty()))));
      int surplus = rollouts.size() + 1 - Rollout.KEPT;
      rollouts.stream().limit(Math.max(0, surplus)).map(Write.Remove::new).forEach(writes::add);
      last = null;
    }
    conditions(Optional.ofNullable(last).flatMap(this::failure)).ifPresent(writes::add);
    return writes;
  }

  /**
   * How the last rollout has failed; empty if it has not. A version that was removed, and one
   * instead of which an operator wants another one, is no failure any longer.
   */
  private Optional<String> failure(Resource<Rollout.Spec, Rollout.Status> last) {
    var its = last.spec();
    boolean failed =
        last.status().flatMap(Rollout.Status::outcome).equals(Optional.of(Outcome.FAILED));
    boolean wanted = RoleIntent.of(role).revision().map(its.to()::equals).orElse(true);
    return last.status()
        .filter(any -> failed && wanted && role.spec().versions().containsKey(its.to()))
        .map(status -> its.to() + " " + status.message());
  }

  /**
   * How many processes have no node, if any; empty also during an update, whose steps leave some
   * out.
   */
  private Optional<String> unplaced() {
    if (wanted.desired().isEmpty()
        || wanted.update().isPresent()
        || wanted.nodes().values().stream().anyMatch(Optional::isEmpty)) {
      return Optional.empty();
    }
    int desired = wanted.desired().get();
    int missing = desired - wanted.nodes().values().stream().mapToInt(Optional::get).sum();
    return missing <= 0 ? Optional.empty() : Optional.of(noPlace(missing, desired));
  }

  private static String noPlace(int missing, int desired) {
    return "%d of %d processes %s no place"
        .formatted(missing, desired, missing == 1 ? "finds" : "find");
  }

  /** Writes the conditions of the role; nothing if they stay. */
  private Optional<Write> conditions(Optional<String> failure) {
    if (role.status().isEmpty()) {
      return Optional.empty();
    }
    var status = role.status().get();
    var before = status.conditions();
    var next = with(before, ConditionType.ROLLED_OUT, Reason.ROLLED_OUT, Reason.REVERTED, failure);
    next = with(next, ConditionType.PLACED, Reason.PLACED, Reason.NO_PLACE, unplaced());
    return next.equals(before)
        ? Optional.empty()
        : Optional.of(new Write.PutStatus(role.withStatus(status.withConditions(next))));
  }

  /** The conditions with one that is false if there is trouble, and absent if there never was. */
  private List<Condition> with(
      List<Condition> conditions,
      ConditionType type,
      Reason well,
      Reason ill,
      Optional<String> trouble) {
    if (trouble.isEmpty() && Condition.find(conditions, type).isEmpty()) {
      return conditions;
    }
    var generation = role.meta().generation();
    return Condition.put(
        conditions,
        trouble
            .map(why -> Condition.ofFalse(type, ill, why, generation, now))
            .orElseGet(() -> Condition.ofTrue(type, well, "", generation, now)));
  }

  /** Whether the schedule wants something else than the last rollout has brought, or brings. */
  private boolean isOver(Resource<Rollout.Spec, Rollout.Status> last) {
    if (Rollout.open(last)) {
      return false;
    }
    if (wanted.update().isPresent() && wanted.update().get().began().isAfter(last.spec().began())) {
      return true;
    }
    var outcome = last.status().flatMap(Rollout.Status::outcome);
    return outcome.equals(Optional.of(Outcome.FAILED))
        ? !last.spec().from().equals(Optional.of(wanted.target()))
            && !last.spec().to().equals(wanted.target())
        : !last.spec().to().equals(wanted.target());
  }

  private Rollout.Spec next(Optional<Resource<Rollout.Spec, Rollout.Status>> last) {
    var before =
        last.flatMap(
            it ->
                it.status().flatMap(Rollout.Status::outcome).equals(Optional.of(Outcome.FAILED))
                    ? it.spec().from()
                    : Optional.of(it.spec().to()));
    return new Rollout.Spec(
        role.name(),
        1 + last.map(it -> it.spec().number()).orElse(0L),
        wanted.source().or(() -> before),
        wanted.target(),
        by(),
        wanted.update().filter(it -> !it.back()).map(Update::began).orElse(now));
  }

  private String by() {
    var intent = RoleIntent.of(role);
    if (intent.revision().filter(wanted.target()::equals).isPresent()) {
      return "operator" + intent.by().map(name -> " " + name).orElse("");
    }
    var timestamps = new TreeMap<Long, String>();
    role.spec()
        .versions()
        .forEach(
            (version, metadata) -> {
              if (metadata instanceof Map<?, ?> its && its.get("timestamp") instanceof Number at) {
                timestamps.put(at.longValue(), version);
              }
            });
    boolean newest =
        role.spec().versions().size() == 1
            || (!timestamps.isEmpty() && timestamps.lastEntry().getValue().equals(wanted.target()))
            || newestByName();
    return RoleConfig.file(role)
        .filter(file -> newest)
        .map(file -> "file " + file)
        .orElse("scheduler");
  }

  private boolean newestByName() {
    var names = role.status().map(RoleConfig.Status::versions).orElse(List.of());
    return !names.isEmpty() && names.get(names.size() - 1).equals(wanted.target());
  }

  private Rollout.Status status(Rollout.Spec spec, Optional<Rollout.Status> before) {
    var counts = counts(spec.to(), before.map(Rollout.Status::nodes).orElse(Map.of()));
    int updated = counts.values().stream().mapToInt(OnNode::updated).sum();
    int desired = wanted.desired().orElse(counts.values().stream().mapToInt(OnNode::desired).sum());
    var update = wanted.update().filter(any -> wanted.target().equals(spec.to()));
    var outcome = outcome(spec, updated, desired);
    var waits =
        outcome.isPresent()
            ? ""
            : update.map(Update::waitsFor).orElseGet(() -> waits(counts, updated, desired));
    var reason =
        outcome.map(it -> reason(it, spec)).or(() -> update.flatMap(Update::trouble)).orElse("");
    boolean paused = update.filter(Update::paused).isPresent();
    var steps = update.map(Update::steps).orElse(List.of());
    var progress = "%d of %d processes run %s".formatted(updated, desired, spec.to());
    return new Rollout.Status(
        1,
        steps,
        update.map(Update::step),
        updated,
        desired,
        counts,
        paused,
        waits,
        outcome.isPresent() ? Optional.empty() : update.flatMap(Update::deadline),
        outcome,
        reason,
        outcome.map(any -> now),
        message(outcome, update, spec, progress, waits, reason));
  }

  private static String message(
      Optional<Outcome> outcome,
      Optional<Update> update,
      Rollout.Spec spec,
      String progress,
      String waits,
      String reason) {
    if (outcome.isPresent()) {
      return switch (outcome.get()) {
        case COMPLETE -> "complete: " + progress;
        case FAILED ->
            "failed: %s%s".formatted(reason, spec.from().map(it -> "; it runs " + it).orElse(""));
        case SUPERSEDED -> "superseded: " + reason;
      };
    }
    var parts = new ArrayList<String>();
    if (update.filter(it -> it.back() && it.trouble().isPresent()).isPresent()) {
      parts.add("%s has failed: %s".formatted(spec.to(), reason));
      parts.add("going back to " + spec.from().orElse("the version before"));
      parts.add(progress);
      return String.join("; ", parts);
    }
    parts.add(progress);
    update.filter(Update::paused).ifPresent(any -> parts.add("paused"));
    if (!reason.isEmpty()) {
      parts.add(reason);
    }
    if (!waits.isEmpty()) {
      parts.add("waiting: " + waits);
    }
    return String.join("; ", parts);
  }

  private Map<String, OnNode> counts(String version, Map<String, OnNode> before) {
    var counts = new TreeMap<String, OnNode>();
    nodes.forEach(
        (node, its) -> {
          var seen =
              its.map(it -> it.count(version, Optional.ofNullable(before.get(node))))
                  .orElse(new OnNode(0, 0));
          var planned = wanted.nodes().getOrDefault(node, Optional.empty());
          counts.put(node, new OnNode(seen.updated(), planned.orElse(seen.desired())));
        });
    return counts;
  }

  private Optional<Outcome> outcome(Rollout.Spec spec, int updated, int desired) {
    if (wanted.update().isEmpty() && wanted.failed().containsKey(spec.to())) {
      return Optional.of(Outcome.FAILED);
    }
    if (!wanted.target().equals(spec.to())) {
      return Optional.of(Outcome.SUPERSEDED);
    }
    boolean failed = nodes.values().stream().flatMap(Optional::stream).anyMatch(this::reverted);
    if (wanted.update().isEmpty() && failed) {
      return Optional.of(Outcome.FAILED);
    }
    boolean settled =
        wanted.nodes().keySet().stream()
            .allMatch(
                node ->
                    nodes
                        .getOrDefault(node, Optional.empty())
                        .filter(it -> !it.changing())
                        .isPresent());
    return wanted.update().isEmpty() && settled && updated >= desired
        ? Optional.of(Outcome.COMPLETE)
        : Optional.empty();
  }

  /** Whether a node went back to the former version, as the version's update policy says. */
  private boolean reverted(RoleOnNode its) {
    return !its.changing()
        && its.instance()
            .status()
            .flatMap(status -> status.failed())
            .flatMap(failure -> failure.version())
            .filter(wanted.target()::equals)
            .isPresent();
  }

  private String reason(Outcome outcome, Rollout.Spec spec) {
    return switch (outcome) {
      case COMPLETE -> "";
      case SUPERSEDED -> "%s is wanted".formatted(wanted.target());
      case FAILED ->
          Optional.ofNullable(wanted.failed().get(spec.to()))
              .orElseGet(
                  () ->
                      nodes.entrySet().stream()
                          .filter(it -> it.getValue().filter(this::reverted).isPresent())
                          .findFirst()
                          .map(it -> it.getKey() + ": " + it.getValue().get().reason().orElse(""))
                          .orElse(""));
    };
  }

  /** Why a rollout whose schedule is final is not complete. */
  private String waits(Map<String, OnNode> counts, int updated, int desired) {
    for (var entry : nodes.entrySet()) {
      var node = entry.getKey();
      var count = counts.getOrDefault(node, new OnNode(0, 0));
      if (entry.getValue().isEmpty()) {
        return node + " has not reported the role";
      }
      if (count.updated() < count.desired() || entry.getValue().get().changing()) {
        return "%d of %d processes do not run on %s yet%s"
            .formatted(
                count.desired() - count.updated(),
                count.desired(),
                node,
                entry.getValue().get().reason().map(it -> " (" + it + ")").orElse(""));
      }
    }
    return updated < desired ? noPlace(desired - updated, desired) : "";
  }
}
