package verwalter.controllers.instance;

import java.time.Duration;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.StartPolicy;

/**
 * How far an instance is on its way to its processes. Pure.
 *
 * @param instance with its stored gate
 */
record PendingStart(Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {

  /** Bytes that the version needs. After a version has failed, what the former one had. */
  long memory() {
    return hasFailed() ? StartGate.grant(instance).reserved() : memory(instance.spec());
  }

  /** Bytes that the version of an instance needs. */
  static long memory(RoleInstance.Spec spec) {
    return spec.start().flatMap(StartPolicy::memory).orElse(0L);
  }

  /** How long the first start of the version is delayed. */
  Duration delay() {
    return hasFailed() ? Duration.ZERO : delay(instance.spec());
  }

  /** Whether the version of the spec has failed, so that the former one is wanted. */
  private boolean hasFailed() {
    return Goal.failed(instance).isPresent();
  }

  /** How long the first start of the version of an instance is delayed. */
  static Duration delay(RoleInstance.Spec spec) {
    return Duration.ofSeconds(spec.start().map(StartPolicy::delaySeconds).orElse(0L));
  }

  String version() {
    return Goal.version(instance).orElse("");
  }

  /** Whether its programs are complete, or as complete as they can be before others are removed. */
  boolean isReady() {
    return InstancePlan.next(instance, children).isPresent()
        || children.releases().isVerifiedOnly(instance.spec());
  }

  /**
   * Whether it is ready, and a release that takes the place of another one has nothing to wait for
   * but the gate. Until then an open gate would start the processes of the files in place. Those of
   * groups that have vanished may run, and are handed over again without waiting for another
   * release.
   */
  boolean isPrepared() {
    var replacement = instance.status().flatMap(RoleInstance.Status::replacement);
    return isReady()
        && (children.groups().isEmpty()
            || replacement
                .filter(it -> it.phase() == Phase.PREPARE)
                .map(it -> ReplacementPlan.isPrepared(instance, children, it))
                .orElse(true));
  }

  /**
   * Whether the processes of the files in place were kept from starting, and still are while
   * another release is prepared.
   */
  boolean keepsProcessesFromStarting() {
    return children.output().isPresent()
        && !isStarted()
        && !isExchanged()
        && StartGate.isClosed(instance);
  }

  /** Whether its release is being exchanged, so that it must not wait. */
  boolean isExchanged() {
    var phase = phase();
    return phase.filter(it -> it == Phase.STOP || it == Phase.SWITCH).isPresent();
  }

  private Optional<Phase> phase() {
    return instance
        .status()
        .flatMap(RoleInstance.Status::replacement)
        .map(RoleInstance.Replacement::phase);
  }

  /** Whether it has processes to run. */
  boolean isStarted() {
    return children.desired() > 0;
  }

  /** Whether it has processes to run, or had them before its release began to be replaced. */
  boolean isActive() {
    return isStarted() || phase().isPresent();
  }

  /** Whether the files in place are those of the wanted version. */
  private boolean hasFilesOfVersion() {
    return children.output().isPresent() && children.usedVersion().equals(Goal.version(instance));
  }

  /** Whether the wanted version was started. */
  boolean hasStartedVersion() {
    return isStarted() && hasFilesOfVersion();
  }

  /**
   * Whether processes are to be started that do not run: the first ones, or those of another
   * version. Until its files are rendered, an instance is taken to have some if it waits already.
   */
  boolean isPending() {
    if (isStarted()) {
      return children.output().isPresent() && !hasFilesOfVersion();
    }
    if (children.output().isEmpty()) {
      return true;
    }
    // Also the processes of an older rendering are handed over.
    return children.rendersProcesses()
        || (!children.rendered(instance) && StartGate.isClosed(instance))
        || keepsFiles();
  }

  /**
   * Whether the files in place stay until the wanted version may start: its processes run, or are
   * about to.
   */
  boolean keepsFiles() {
    return children.output().isPresent()
        && !hasFilesOfVersion()
        && (isStarted() || StartGate.grant(instance).reserved() > 0);
  }

  /** Whether it has ended all of its processes, and has none to start. */
  boolean isOver() {
    return children.output().isPresent()
        && !isStarted()
        && phase().isEmpty()
        && children.rendered(instance)
        && !children.rendersProcesses()
        && children.areDown(instance);
  }

  /** Whether no process of another version runs that may need more. */
  boolean hasNoOther() {
    return children.output().isEmpty()
        || (hasFilesOfVersion()
            && phase().isEmpty()
            && InstanceState.of(instance, children).isUp());
  }

  /**
   * Whether its processes run or have failed since the machine was started.
   *
   * @param boot the start of the machine
   */
  boolean hasSettled(Optional<String> boot) {
    return isStarted()
        && children.groups().stream()
            .allMatch(group -> group.status().filter(it -> it.boot().equals(boot)).isPresent())
        && (children.running() >= children.desired()
            || children.slots().stream().anyMatch(ProcessGroup.Slot::failed)
            || children.groups().stream().anyMatch(PendingStart::isRefused));
  }

  private static boolean isRefused(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group
        .status()
        .flatMap(it -> Condition.find(it.conditions(), ConditionType.ACCEPTED))
        .filter(Condition::isFalse)
        .isPresent();
  }
}
