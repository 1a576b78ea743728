package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import verwalter.model.Condition;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.TemplateOutput;
import verwalter.model.UpdatePolicy;

/**
 * Changed variables of the version that runs, which wait for the next restart because the version
 * says so. Another version and another release do not wait. Pure.
 *
 * @param next the files with the changes
 * @param present the files in place
 */
record StagedChanges(TemplateOutput.Next next, TemplateOutput.Next present) {
  /** The number of variables in a message. */
  private static final int MOST_NAMED = 5;

  /** The changes that wait; empty if none do. While nothing runs, nothing has to wait. */
  static Optional<StagedChanges> of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    if (!isStaged(instance.spec())
        || isSwitching(instance)
        || Goal.failed(instance).isPresent()
        || !children.usedRelease().equals(ReleaseRefs.target(instance.spec()))
        || !children.usedVersion().equals(instance.spec().version())
        || !children.rendersProcesses()
        || children.areHalted()) {
      return Optional.empty();
    }
    var present = children.output().map(Resource::spec).map(TemplateOutput.Spec::present);
    return InstancePlan.next(instance, children)
        .filter(next -> !present.equals(Optional.of(next)))
        .flatMap(next -> present.map(it -> new StagedChanges(next, it)));
  }

  private static boolean isStaged(RoleInstance.Spec spec) {
    return spec.update().filter(it -> it.changes() == UpdatePolicy.Changes.STAGED).isPresent();
  }

  /** Whether files are being exchanged, or are going to be. */
  private static boolean isSwitching(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::replacement)
        .filter(it -> it.phase() != Phase.START)
        .isPresent();
  }

  /**
   * Whether they are put in place now: they can be, and a restart was requested, or none of the
   * processes runs and none is about to.
   */
  static boolean areDue(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children, Instant now) {
    return of(instance, children).isPresent()
        && children.isNextChecked(instance)
        && (isRestartPending(instance) || children.waitLong(instance, now));
  }

  /**
   * Whether a restart waits until it is known whether they can be put in place. If they cannot, the
   * processes are restarted without them.
   */
  static boolean holdRestart(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    return isRestartPending(instance)
        && of(instance, children).isPresent()
        && children.checkOfNext(instance).filter(Condition::isFalse).isEmpty();
  }

  private static boolean isRestartPending(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    long done =
        instance.status().flatMap(RoleInstance.Status::restartCounter).orElse(Long.MIN_VALUE);
    return instance.spec().restartCounter().filter(counter -> counter > done).isPresent();
  }

  /** Says what waits, and for what. */
  String message(Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    return "changes of %s wait for a restart: vw restart %s%s"
        .formatted(
            names(),
            instance.name(),
            children
                .checkOfNext(instance)
                .filter(Condition::isFalse)
                .map(it -> "; they cannot be put in place: " + it.message())
                .orElse(""));
  }

  private String names() {
    var names = new TreeSet<String>();
    names.addAll(differing(next.variables(), present.variables()));
    names.addAll(differing(present.variables(), next.variables()));
    if (!next.template().equals(present.template())) {
      names.add("template");
    }
    return names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (names.size() > MOST_NAMED ? " and %d more".formatted(names.size() - MOST_NAMED) : "");
  }

  private static TreeSet<String> differing(Map<String, Object> some, Map<String, Object> others) {
    var names = new TreeSet<String>();
    some.forEach(
        (name, value) -> {
          if (!value.equals(others.get(name))) {
            names.add(name);
          }
        });
    return names;
  }

  /** Whether a slot has no process, and gets none before some time has passed. */
  static boolean waitsLong(ProcessGroup.Slot slot, Instant now) {
    return slot.state() == ProcessGroup.State.REFUSED
        || (slot.failed() && slot.nextStart().filter(it -> it.isAfter(now)).isPresent());
  }
}
