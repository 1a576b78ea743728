package verwalter.controllers.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DecisionRecord;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.model.ScheduledVersions;
import verwalter.model.Scheduler;
import verwalter.model.VersionMetadata;
import verwalter.model.VersionSettings;
import verwalter.model.json.Json;

/**
 * The outcome of one run of the scheduler: a decision, or the reason why there is none.
 *
 * @param situation what the scheduler saw: everything except the entries that were set aside
 * @param input the situation as the scheduler's input
 * @param setAside the entries that make the scheduler fail, with the error
 */
record RunOutcome(
    Situation situation,
    Map<String, Object> input,
    Optional<Scheduler.Decision> decision,
    String problem,
    String log,
    Map<ResourceKey, String> setAside) {

  RunOutcome {
    setAside = Map.copyOf(setAside);
  }

  /** Runs the scheduler once. Blocks for at most its budget. */
  static RunOutcome of(Scheduler scheduler, Situation situation) {
    var input = situation.input();
    try {
      var decision = scheduler.decide(input);
      return new RunOutcome(situation, input, Optional.of(decision), "", decision.log(), Map.of());
    } catch (Scheduler.Failed failure) {
      var problem = String.valueOf(failure.getMessage());
      return new RunOutcome(situation, input, Optional.empty(), problem, failure.log(), Map.of());
    }
  }

  RunOutcome settingAside(Map<ResourceKey, String> culprits) {
    return new RunOutcome(situation, input, decision, problem, log, culprits);
  }

  /** Whether every entry of the situation was either decided upon or set aside. */
  boolean covers(Situation whole) {
    return failed() || situation.entries() + setAside.size() == whole.entries();
  }

  /** The roles of {@code all} that the scheduler did not see. */
  List<String> hidden(Situation all) {
    var shown = situation.roles().stream().map(Resource::name).collect(Collectors.toSet());
    return all.roles().stream().map(Resource::name).filter(name -> !shown.contains(name)).toList();
  }

  /** Whether the decision consumed an action, which the next input will not contain. */
  boolean actionsTaken() {
    return !failed() && !situation.actions().isEmpty();
  }

  /** Converts this run to a record. */
  DecisionRecord record(String code, Duration took) {
    return new DecisionRecord(
        situation.now(),
        code,
        input,
        decision.map(Scheduler.Decision::data),
        problem,
        log,
        decision.map(Scheduler.Decision::instructions).orElse(0L),
        took,
        decision.map(Scheduler.Decision::reasons).orElse(List.of()),
        setAside.entrySet().stream()
            .map(each -> each.getKey() + ": " + each.getValue())
            .sorted()
            .toList());
  }

  boolean failed() {
    return decision.isEmpty();
  }

  /**
   * The schedule in force after this run: the decided one, or else the previous one. Roles that the
   * scheduler did not see keep their part of the previous schedule.
   */
  Schedule.Spec next(Schedule.Spec before, String origin, List<String> hidden) {
    if (failed()) {
      return before;
    }
    var decided = CarryOver.roles(hidden, before.data(), decision.orElseThrow().data());
    var whole = ScheduledVersions.attached(decided, settings(before.data()));
    var data = Json.sharing(Json.freeze(whole), before.data());
    if (before.decided() && data == before.data()) {
      return merged(before); // without hashing all of it
    }
    var parents = situation.parents().stream().map(Schedule.Spec::hash).toList();
    var next = Schedule.Spec.of(data, parents, origin, situation.now());
    return next.hash().equals(before.hash()) ? merged(before) : next;
  }

  /**
   * Finds settings in the metadata that the scheduler saw, of roles that were read from files: only
   * administrators choose programs. A version without metadata, such as one whose files were
   * removed, keeps the settings that it had.
   */
  private BiFunction<String, String, VersionSettings> settings(Map<String, Object> before) {
    var versions = new HashMap<String, Map<String, Object>>();
    situation.roles().stream()
        .filter(role -> RoleConfig.file(role).isPresent())
        .forEach(role -> versions.put(role.name(), role.spec().versions()));
    return (role, version) -> {
      var known = versions.getOrDefault(role, Map.of());
      return known.containsKey(version)
          ? VersionMetadata.of(known.get(version)).settings()
          : ScheduledVersions.find(before, role, version);
    };
  }

  /** An unchanged schedule, with the schedules of other sides of a split that it replaces. */
  private Schedule.Spec merged(Schedule.Spec before) {
    var parents = new LinkedHashSet<>(before.parents());
    situation.parents().stream()
        .map(Schedule.Spec::hash)
        .filter(it -> !it.equals(before.hash()))
        .forEach(parents::add);
    return parents.size() == before.parents().size()
        ? before
        : new Schedule.Spec(
            before.data(),
            before.hash(),
            List.copyOf(parents),
            before.origin(),
            before.timestamp());
  }

  Condition condition(long generation, Instant now) {
    return failed()
        ? Condition.ofFalse(
            ConditionType.DECIDED,
            Reason.SCHEDULER_FAILED,
            problem + " (the previous schedule stays in force)",
            generation,
            now)
        : Condition.ofTrue(ConditionType.DECIDED, Reason.DECIDED, "", generation, now);
  }
}
