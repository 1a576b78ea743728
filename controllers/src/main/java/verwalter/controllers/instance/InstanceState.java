package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.FailedVersion;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.UsedRelease;

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
    var preparing = preparing(instance, children);
    if (preparing.isPresent()) {
      return preparing.get();
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
    var closed = StartGate.closing(instance);
    return closed.isPresent() && children.desired() == 0
        ? new InstanceState(State.WAITING, closed.get().message())
        : processes(instance, children);
  }

  private static String halting(Children children) {
    if (!children.groups().isEmpty()) {
      return "stopping its processes";
    }
    return children.output().isPresent() ? "removing its files" : "removing its releases";
  }

  /** The state while a release is not complete, or its processes may not run yet. */
  private static Optional<InstanceState> preparing(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var spec = instance.spec();
    var closed = StartGate.closing(instance);
    if (children.output().isEmpty()) {
      if (InstancePlan.next(instance, children).isEmpty()) {
        return Optional.of(new InstanceState(State.PREPARING, children.releases().reason(spec)));
      }
      return closed.map(it -> new InstanceState(State.WAITING, it.message()));
    }
    var phase =
        instance
            .status()
            .flatMap(RoleInstance.Status::replacement)
            .map(RoleInstance.Replacement::phase);
    if (phase.isEmpty()) {
      // The processes of other versions run meanwhile.
      if (InstancePlan.next(instance, children).isEmpty()) {
        return Optional.of(
            new InstanceState(
                State.PREPARING,
                "the image of %s: %s"
                    .formatted(
                        children.releases().waiting(spec).orElse("the new release"),
                        children.releases().reason(spec))));
      }
      return closed
          .filter(it -> children.desired() > 0)
          .map(it -> new InstanceState(State.PREPARING, next(spec) + ": " + it.message()));
    }
    return switch (phase.get()) {
      case PREPARE ->
          Optional.of(
              new InstanceState(State.PREPARING, next(spec) + ": " + waits(instance, children)));
      case STOP ->
          Optional.of(
              new InstanceState(
                  State.HALTING,
                  Goal.failed(instance)
                      .map(InstanceState::goesBack)
                      .orElseGet(() -> stopping(instance))));
      case SWITCH, START -> Optional.empty();
    };
  }

  private static String stopping(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    boolean same =
        instance
            .status()
            .flatMap(RoleInstance.Status::replacement)
            .filter(it -> it.from().equals(it.to()))
            .isPresent();
    return same
        ? "stopping its processes to start them with changed variables"
        : "stopping its processes to start " + next(instance.spec());
  }

  private static String waits(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    return InstancePlan.next(instance, children).isEmpty()
        ? StartGate.closing(instance)
            .filter(it -> children.releases().isVerifiedOnly(instance.spec()))
            .map(Condition::message)
            .orElseGet(() -> children.releases().reason(instance.spec()))
        : children
            .checkOfNext(instance)
            .filter(Condition::isFalse)
            .or(() -> StartGate.closing(instance).filter(it -> children.isNextChecked(instance)))
            .map(Condition::message)
            .orElse("checking its files");
  }

  private static String next(RoleInstance.Spec instance) {
    return instance.version().orElse("the new release");
  }

  /** Says that a version has failed, and that the former one is going to run again. */
  static String goesBack(FailedVersion failed) {
    return "%s failed: %s; goes back to %s"
        .formatted(what(failed), failed.reason(), name(failed.former().version()));
  }

  /** Says that a version has failed, and that the former one runs again. */
  static String runsAgain(FailedVersion failed) {
    return "%s failed: %s; runs %s again"
        .formatted(what(failed), failed.reason(), name(failed.former().version()));
  }

  private static String what(FailedVersion failed) {
    var version = name(failed.version());
    boolean same = failed.release().equals(failed.former().release().map(UsedRelease::ref));
    return same ? version + " with changed variables" : version;
  }

  private static String name(Optional<String> version) {
    return version.orElse("the former version");
  }

  private static Optional<InstanceState> rendering(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    if (children.rendered(instance)) {
      return Optional.empty();
    }
    var failed =
        children
            .output()
            .filter(
                each -> InstancePlan.output(instance, children).equals(Optional.of(each.spec())))
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
            .orElseGet(() -> new InstanceState(State.RENDERING, rendering(instance.spec()))));
  }

  /** A service in one file has no directory of templates. */
  private static String rendering(RoleInstance.Spec spec) {
    return spec.template().isEmpty()
        ? "making its files and its list of processes"
        : "rendering templates/" + spec.template();
  }

  private static InstanceState processes(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
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
    long done = children.restartCounter(instance.spec()).orElse(0L);
    boolean restarting =
        instance.spec().restartCounter().filter(counter -> counter > done).isPresent();
    var state = slots(children.slots(), children, restarting);
    var failed = Goal.failed(instance);
    return state.isUp() && failed.isPresent()
        ? new InstanceState(state.state(), runsAgain(failed.get()))
        : state;
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

  /** Whether all that should run runs. */
  boolean isUp() {
    return state == State.RUNNING || state == State.HALTED;
  }

  /**
   * The message of the event that reports this state. It is never empty, and equal each time that a
   * process ends in the same way: it has no durations and no number of attempts.
   */
  String announcement(Children children) {
    return reason.isEmpty()
        ? "%d of %d processes run".formatted(children.running(), children.desired())
        : lastingReason();
  }

  /** The reason without the times and the number of an attempt. */
  String lastingReason() {
    return ATTEMPT.matcher(reason).replaceFirst("");
  }

  RoleInstance.Status status(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children, Instant now) {
    var before = instance.status();
    var generation = instance.meta().generation();
    return new RoleInstance.Status(
        generation,
        state,
        children.desired(),
        children.running(),
        children.slots().stream().mapToLong(ProcessGroup.Slot::restarts).sum(),
        before.filter(last -> last.state() == state).map(RoleInstance.Status::since).orElse(now),
        reason,
        InstanceConditions.of(instance, children, this, now),
        restarted(
            before.flatMap(RoleInstance.Status::restartCounter),
            children.restartCounter(instance.spec())),
        purged(instance, children),
        version(instance, children),
        before.flatMap(RoleInstance.Status::replacement),
        before.flatMap(RoleInstance.Status::start),
        before.flatMap(RoleInstance.Status::failed),
        InstanceErrors.of(instance, children, this));
  }

  /** The version of the files in place; empty if they are those of the spec. */
  private static Optional<String> version(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    boolean other =
        Goal.failed(instance).isPresent()
            || StartGate.isClosed(instance)
            || instance.status().flatMap(RoleInstance.Status::replacement).isPresent();
    return other
        ? children.usedVersion()
        : children
            .output()
            .map(Resource::spec)
            .flatMap(TemplateOutput.Spec::release)
            .flatMap(TemplateOutput.UsedRelease::version);
  }

  /** The last purge after which the release was replaced. */
  private static Optional<Long> purged(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var before = instance.status();
    boolean replaced =
        before.flatMap(RoleInstance.Status::replacement).isEmpty()
            && children.usedRelease().equals(ReleaseRefs.target(instance.spec()))
            && children.usesReleasesOf(instance.spec());
    return replaced
        ? instance.spec().purgeCounter()
        : before.flatMap(RoleInstance.Status::purgeCounter);
  }

  /** A restart that was carried out stays so, also when a process is started later. */
  private static Optional<Long> restarted(Optional<Long> before, Optional<Long> now) {
    return Stream.of(before, now).flatMap(Optional::stream).max(Comparator.naturalOrder());
  }
}
