package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.StartGrant;

/**
 * Whether an instance may start, or its new version may take the place of the running one, and what
 * the node grants to it. A closed gate never stops a process. Pure.
 *
 * <p>The gate of an instance is its condition {@code Admitted}: it is closed while that is false.
 * It is stored before anything is done because of it.
 *
 * @param obstacle what it waits for; empty if the gate is open
 * @param grant what is granted
 */
record StartGate(Optional<Obstacle> obstacle, StartGrant grant) {
  /** What an instance waits for, with one line of text. */
  record Obstacle(Reason reason, String message) {}

  /** What an instance cannot know by itself. */
  interface Surroundings {
    Instant now();

    /** The present start of the machine; empty if it is not known. */
    Optional<String> boot();

    /** Why what ran before the machine was started is first; empty if nothing has to wait. */
    Optional<String> hold();

    /** Whether nothing has to wait any longer for what ran before. */
    boolean isHoldOver();

    /** Why that many bytes cannot be reserved for it in all; empty if they can. */
    Optional<String> refusal(long bytes);

    /** Whether the delay of its version has passed. */
    boolean isDelayOver();
  }

  /** Whether the stored gate of an instance is closed. */
  static boolean isClosed(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return closing(instance).isPresent();
  }

  /** Whether the stored gate of an instance is closed for this reason. */
  static boolean isClosed(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Reason reason) {
    return closing(instance).filter(it -> it.hasReason(reason)).isPresent();
  }

  /** The condition of a closed gate. */
  static Optional<Condition> closing(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return condition(instance).filter(Condition::isFalse);
  }

  private static Optional<Condition> condition(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.ADMITTED));
  }

  static StartGrant grant(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance.status().flatMap(RoleInstance.Status::start).orElse(StartGrant.NONE);
  }

  /** The gate after this moment. */
  static StartGate of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Surroundings around) {
    var start = new PendingStart(instance, children);
    var before = grant(instance);
    var booted = before.withBoot(boot(start, before.boot(), around));
    boolean ready = start.keepsProcessesFromStarting() ? start.isPrepared() : start.isReady();
    if (ready && !start.isExchanged()) {
      return ready(start, booted, around);
    }
    var obstacle =
        new Obstacle(Reason.PREPARING, "its files may not start, and others are being prepared");
    return new StartGate(
        Optional.of(obstacle).filter(it -> start.keepsProcessesFromStarting()), booted);
  }

  /** The start of the machine during which it had processes to run, or has them again. */
  private static Optional<String> boot(
      PendingStart start, Optional<String> last, Surroundings around) {
    if (!start.isActive()) {
      return Optional.empty();
    }
    boolean again = last.isEmpty() || around.isHoldOver() || start.hasSettled(around.boot());
    return again ? around.boot() : last;
  }

  private static StartGate ready(PendingStart start, StartGrant before, Surroundings around) {
    if (start.isPending() && !start.isStarted() && before.boot().isEmpty()) {
      var hold = around.hold();
      if (hold.isPresent()) {
        return new StartGate(Optional.of(new Obstacle(Reason.PRIORITY_HOLD, hold.get())), before);
      }
    }
    return withMemory(start, before, around);
  }

  private static StartGate withMemory(PendingStart start, StartGrant before, Surroundings around) {
    long needed = start.memory();
    long reserved = before.reserved();
    if (start.isOver()) {
      return delayed(start, before.withMemory(0), around);
    }
    if (needed > reserved && start.isPending()) {
      var refusal = around.refusal(needed);
      if (refusal.isPresent()) {
        return new StartGate(
            Optional.of(new Obstacle(Reason.MISSING_MEMORY, refusal.get())), before);
      }
      return delayed(start, before.withMemory(needed), around);
    }
    // What runs keeps its memory, and what is not known to need it any longer, too.
    boolean takes = needed > reserved ? start.isStarted() : start.hasNoOther();
    return delayed(start, takes ? before.withMemory(needed) : before, around);
  }

  private static StartGate delayed(PendingStart start, StartGrant before, Surroundings around) {
    var delay = start.delay();
    var version = start.version();
    if (delay.isZero()) {
      return new StartGate(Optional.empty(), before.delays(version) ? before.undelayed() : before);
    }
    boolean begins = !before.knows(version) && !start.hasStartedVersion();
    var next = begins ? before.delaying(version, around.now().plus(delay)) : before;
    if (next.delays(version) && !begins && around.isDelayOver()) {
      next = next.undelayed();
    }
    return new StartGate(
        next.delays(version) && start.isPending()
            ? Optional.of(new Obstacle(Reason.START_DELAYED, message(next)))
            : Optional.empty(),
        next);
  }

  private static String message(StartGrant grant) {
    return "its first start is delayed until " + grant.until().map(Instant::toString).orElse("now");
  }

  /** Whether the stored gate is another one: it has to be stored before it is acted on. */
  boolean isNews(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var stored = grant(instance);
    return !grant.withBoot(stored.boot()).equals(stored)
        || !obstacle
            .map(it -> it.reason().title())
            .equals(closing(instance).map(Condition::reason));
  }

  /** The status of the instance with this gate. */
  RoleInstance.Status store(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      RoleInstance.Status status,
      Instant now) {
    var generation = instance.meta().generation();
    var known = condition(instance).isPresent();
    var conditions = status.conditions();
    if (obstacle.isPresent()) {
      conditions =
          Condition.put(
              conditions,
              Condition.ofFalse(
                  ConditionType.ADMITTED,
                  obstacle.get().reason(),
                  obstacle.get().message(),
                  generation,
                  now));
    } else if (known) {
      conditions =
          Condition.put(
              conditions,
              Condition.ofTrue(ConditionType.ADMITTED, Reason.ADMITTED, "", generation, now));
    }
    return status.admitted(
        conditions, Optional.of(grant).filter(it -> !it.equals(StartGrant.NONE)));
  }
}
