package verwalter.controllers.instance;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

/** The conditions {@code Ready} and {@code UpToDate} of an instance. Pure. */
final class InstanceConditions {
  /** The conditions of an instance in a state; others stay. */
  static List<Condition> of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      InstanceState state,
      Instant now) {
    var before = instance.status().map(RoleInstance.Status::conditions).orElse(List.of());
    var generation = instance.meta().generation();
    var failed = Goal.failed(instance).filter(it -> state.isUp()).map(InstanceState::runsAgain);
    var staged = StagedChanges.of(instance, children).map(it -> it.message(instance, children));
    return Condition.put(
        upToDate(before, failed, staged, generation, now),
        ready(instance, children, state, failed, generation, now));
  }

  private static Condition ready(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      InstanceState state,
      Optional<String> failed,
      long generation,
      Instant now) {
    if (failed.isPresent()) {
      return Condition.ofFalse(ConditionType.READY, Reason.REVERTED, failed.get(), generation, now);
    }
    var unready =
        children.slots().stream()
            .filter(it -> state.isUp() && it.readiness().isPresent() && !it.isReady())
            .toList();
    if (!unready.isEmpty()) {
      return unready(unready, generation, now);
    }
    return state.isUp()
        ? Condition.ofTrue(ConditionType.READY, Reason.AS_WANTED, "", generation, now)
        : Condition.ofFalse(
            ConditionType.READY, why(instance, state), state.reason(), generation, now);
  }

  /** A process that is not ready counts before one of which it is not known. */
  private static Condition unready(List<Slot> slots, long generation, Instant now) {
    var first = slots.stream().filter(it -> !isUnknown(it)).findFirst();
    var slot = first.orElse(slots.get(0));
    var reason = slot.readiness().map(ProcessGroup.Readiness::reason).orElse("");
    var message = "%s: %s".formatted(slot.name(), reason);
    return first.isPresent()
        ? Condition.ofFalse(ConditionType.READY, Reason.NOT_READY, message, generation, now)
        : Condition.ofUnknown(
            ConditionType.READY, Reason.READINESS_UNKNOWN, message, generation, now);
  }

  private static boolean isUnknown(Slot slot) {
    return slot.readiness().filter(it -> it.ready() == Condition.Truth.UNKNOWN).isPresent();
  }

  private static List<Condition> upToDate(
      List<Condition> before,
      Optional<String> failed,
      Optional<String> staged,
      long generation,
      Instant now) {
    if (failed.isPresent() || staged.isPresent()) {
      return Condition.put(
          before,
          Condition.ofFalse(
              ConditionType.UP_TO_DATE,
              failed.isPresent() ? Reason.REVERTED : Reason.RESTART_REQUIRED,
              failed.or(() -> staged).orElseThrow(),
              generation,
              now));
    }
    return Condition.find(before, ConditionType.UP_TO_DATE).isEmpty()
        ? before
        : Condition.put(
            before,
            Condition.ofTrue(ConditionType.UP_TO_DATE, Reason.UP_TO_DATE, "", generation, now));
  }

  private static Reason why(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, InstanceState state) {
    return switch (state.state()) {
      case WAITING ->
          List.of(Reason.PRIORITY_HOLD, Reason.START_DELAYED).stream()
              .filter(reason -> StartGate.isClosed(instance, reason))
              .findFirst()
              .orElse(Reason.MISSING_MEMORY);
      case INITIAL, RENDERING -> Reason.RENDERING;
      case PREPARING -> Reason.PREPARING;
      case BOOTING -> Reason.STARTING;
      case BROKEN -> Reason.BROKEN;
      case HALTING -> Reason.STOPPING;
      case RUNNING, HALTED -> Reason.AS_WANTED;
    };
  }

  private InstanceConditions() {}
}
