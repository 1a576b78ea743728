package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/**
 * The state of an instance with its reason, computed from its children. Pure.
 *
 * @param state the first state that applies, in the order of {@link #of}
 */
record InstanceState(State state, String reason) {
  /** The end of a slot's reason, which is different for each attempt to start its process. */
  private static final Pattern ATTEMPT =
      Pattern.compile("( after [0-9.]+s)?; next start in [0-9.]+s( \\(\\d+ early exits\\))?$");

  static InstanceState of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    if (instance.meta().deleting()) {
      return new InstanceState(State.HALTING, halting(children));
    }
    var rendering = rendering(instance, children);
    if (rendering.isPresent()) {
      return rendering.get();
    }
    if (!children.foreign().isEmpty()) {
      var group = children.foreign().get(0).spec();
      return new InstanceState(
          State.BROKEN,
          "sandbox %s belongs to role %s already".formatted(group.sandbox(), group.role()));
    }
    return processes(instance.spec(), children);
  }

  private static String halting(Children children) {
    return children.groups().isEmpty() ? "removing its files" : "stopping its processes";
  }

  private static Optional<InstanceState> rendering(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    if (children.rendered(instance)) {
      return Optional.empty();
    }
    var failed =
        children
            .output()
            .filter(each -> each.spec().equals(InstancePlan.outputSpec(instance.spec())))
            .flatMap(Resource::status)
            .map(TemplateOutput.Status::conditions)
            .flatMap(all -> Condition.find(all, ConditionType.RENDERED))
            .filter(Condition::isFalse);
    return Optional.of(
        failed
            .map(
                condition ->
                    new InstanceState(
                        condition.hasReason(Reason.WAITING) ? State.RENDERING : State.BROKEN,
                        condition.message()))
            .orElseGet(
                () ->
                    new InstanceState(
                        State.RENDERING, "rendering templates/" + instance.spec().template())));
  }

  private static InstanceState processes(RoleInstance.Spec instance, Children children) {
    for (var file : children.processFiles(instance)) {
      var group =
          children.groups().stream()
              .filter(each -> each.spec().sandbox().equals(file.sandbox()))
              .filter(each -> each.spec().processes().equals(file.processes()))
              .findFirst();
      var status = group.flatMap(Resource::status);
      if (status.isEmpty()
          || status.get().observedGeneration() != group.orElseThrow().meta().generation()) {
        return new InstanceState(State.BOOTING, "handing its processes to the supervisor");
      }
      var refused =
          Condition.find(status.get().conditions(), ConditionType.ACCEPTED)
              .filter(Condition::isFalse);
      if (refused.isPresent()) {
        return new InstanceState(State.BROKEN, refused.get().message());
      }
    }
    long done = children.restartCounter(instance).orElse(0L);
    boolean restarting = instance.restartCounter().filter(counter -> counter > done).isPresent();
    return slots(children.slots(), children, restarting);
  }

  private static InstanceState slots(
      List<ProcessGroup.Slot> slots, Children children, boolean restarting) {
    var trouble = slots.stream().filter(ProcessGroup.Slot::failed).findFirst();
    if (trouble.isPresent()) {
      return new InstanceState(State.BROKEN, trouble.get().name() + ": " + trouble.get().reason());
    }
    int desired = children.desired();
    int running = children.running();
    if (slots.stream().anyMatch(slot -> slot.state() == ProcessGroup.State.STOPPING)) {
      return new InstanceState(
          State.BOOTING,
          restarting
              ? "restarting its processes as requested"
              : "stopping processes that are no longer wanted");
    }
    if (running < desired) {
      return new InstanceState(State.BOOTING, "%d of %d processes run".formatted(running, desired));
    }
    return desired == 0
        ? new InstanceState(State.HALTED, "it has no process to run")
        : new InstanceState(State.RUNNING, children.rolledBack().orElse(""));
  }

  /**
   * The message of the event that reports this state. It is never empty, and equal each time that a
   * process ends in the same way: it has no durations and no number of attempts.
   */
  String announcement(Children children) {
    return reason.isEmpty()
        ? "%d of %d processes run".formatted(children.running(), children.desired())
        : ATTEMPT.matcher(reason).replaceFirst("");
  }

  RoleInstance.Status status(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children, Instant now) {
    var before = instance.status();
    var generation = instance.meta().generation();
    boolean ready = state == State.RUNNING || state == State.HALTED;
    return new RoleInstance.Status(
        generation,
        state,
        children.desired(),
        children.running(),
        children.slots().stream().mapToLong(ProcessGroup.Slot::restarts).sum(),
        before.filter(last -> last.state() == state).map(RoleInstance.Status::since).orElse(now),
        reason,
        Condition.put(
            before.map(RoleInstance.Status::conditions).orElse(List.of()),
            ready
                ? Condition.ofTrue(ConditionType.READY, Reason.AS_WANTED, "", generation, now)
                : Condition.ofFalse(ConditionType.READY, why(), reason, generation, now)),
        restarted(
            before.flatMap(RoleInstance.Status::restartCounter),
            children.restartCounter(instance.spec())));
  }

  /** A restart that was carried out stays so, also when a process is started later. */
  private static Optional<Long> restarted(Optional<Long> before, Optional<Long> now) {
    return Stream.of(before, now).flatMap(Optional::stream).max(Comparator.naturalOrder());
  }

  private Reason why() {
    return switch (state) {
      case INITIAL, RENDERING -> Reason.RENDERING;
      case BOOTING -> Reason.STARTING;
      case BROKEN -> Reason.BROKEN;
      case HALTING -> Reason.STOPPING;
      case RUNNING, HALTED -> Reason.AS_WANTED;
    };
  }
}
