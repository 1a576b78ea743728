package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Optional;
import verwalter.model.FailedVersion;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/**
 * The phases in which an instance replaces its release: the new one is prepared while the old one
 * runs, the old processes end, the files are switched, and the new processes start. If they fail,
 * and the version says so, the same phases lead back. Pure.
 *
 * @param replacement the replacement after this moment
 * @param failed the version that has failed
 */
record ReplacementPlan(Optional<Replacement> replacement, Optional<FailedVersion> failed) {
  /**
   * The replacement after this moment. It has to be stored before anything is done because of it.
   *
   * @param trial how long the processes of a new version have been observed
   */
  static ReplacementPlan next(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      StartTrial trial,
      Instant now) {
    var last = last(instance);
    if (children.output().isEmpty()) {
      // The first release replaces nothing.
      return new ReplacementPlan(Optional.empty(), Goal.failed(instance));
    }
    var why = last.flatMap(it -> StartFailure.of(instance, children, it, trial));
    if (why.isPresent()) {
      return goBack(instance, children, last.orElseThrow(), why.get(), now);
    }
    if (last.isPresent() && isBackBlocked(instance, children, last.get())) {
      var former = Goal.failed(instance).map(FailedVersion::former);
      var target = ReleaseRefs.target(instance.spec());
      return new ReplacementPlan(
          retargeted(children, last.get(), target, now).map(it -> it.withFormer(former)),
          Optional.empty());
    }
    return new ReplacementPlan(
        replacement(instance, children, last, trial, now), Goal.failed(instance));
  }

  /** Whether this differs from what is stored. */
  boolean isNews(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var status = instance.status();
    return !replacement.equals(last(instance))
        || !failed.equals(status.flatMap(RoleInstance.Status::failed));
  }

  private static Optional<Replacement> last(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance.status().flatMap(RoleInstance.Status::replacement);
  }

  private static Optional<Replacement> replacement(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Optional<Replacement> last,
      StartTrial trial,
      Instant now) {
    var used = children.usedRelease();
    var target = Goal.release(instance);
    if (last.isEmpty()) {
      if (!used.equals(target)) {
        return Optional.of(new Replacement(Phase.PREPARE, used, target, false, now));
      }
      return StagedChanges.areDue(instance, children, now)
          ? Optional.of(new Replacement(Phase.STOP, used, target, false, now))
          : last;
    }
    return last.get().to().equals(target)
        ? advanced(instance, children, last.get(), trial)
        : retargeted(children, last.get(), target, now);
  }

  private static Optional<Replacement> advanced(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last,
      StartTrial trial) {
    boolean done =
        switch (last.phase()) {
          case PREPARE -> isPrepared(instance, children, last) && !StartGate.isClosed(instance);
          case STOP -> children.areDown(instance);
          case SWITCH -> children.usedRelease().equals(last.to()) && children.rendered(instance);
          case START -> isStarted(instance, children, last, trial);
        };
    if (!done) {
      return Optional.of(last);
    }
    return switch (last.phase()) {
      case PREPARE -> Optional.of(last.in(Phase.STOP));
      case STOP ->
          Optional.of(
              unpacksNow(instance, children, last)
                  ? new Replacement(Phase.PREPARE, last.from(), last.to(), true, last.began())
                  : switching(instance, children, last));
      case SWITCH -> Optional.of(last.in(Phase.START));
      case START -> Optional.empty();
    };
  }

  /** Whether the present processes need not go on any longer. */
  static boolean isPrepared(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last) {
    return children.isNextChecked(instance)
        || (!last.down() && children.releases().isVerifiedOnly(instance.spec()));
  }

  /** Whether the processes have ended for a release that was only verified. */
  private static boolean unpacksNow(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last) {
    return !last.back()
        && !last.down()
        && last.to().equals(ReleaseRefs.target(instance.spec()))
        && children.releases().isUnpackedLater(instance.spec());
  }

  private static boolean isStarted(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last,
      StartTrial trial) {
    var state = InstanceState.of(instance, children);
    return state.isUp()
        && (state.state() == State.HALTED
            || trial.ranLongEnough()
            || !StartFailure.isWatched(instance, last));
  }

  /**
   * The files are switched next. What the node goes back to is the last version that has run for
   * some time.
   */
  private static Replacement switching(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last) {
    var present =
        children
            .output()
            .map(Resource::spec)
            .map(TemplateOutput.Spec::present)
            .filter(
                it ->
                    !last.down()
                        || isThere(children, it.release().map(TemplateOutput.UsedRelease::ref)));
    boolean reverts = !last.back() && StartFailure.reverts(instance.spec());
    return last.in(Phase.SWITCH)
        .withFormer(reverts ? last.former().or(() -> present) : Optional.empty());
  }

  /** Whether a release has not been removed to unpack another one. */
  private static boolean isThere(Children children, Optional<String> release) {
    return release.isEmpty() || children.releases().isComplete(release.get());
  }

  /** The new version has failed: its processes end, and the former files are put in place. */
  private static ReplacementPlan goBack(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last,
      String why,
      Instant now) {
    var former = last.former().orElseThrow();
    var spec = instance.spec();
    return new ReplacementPlan(
        Optional.of(
            new Replacement(
                Phase.STOP,
                children.usedRelease(),
                former.release().map(TemplateOutput.UsedRelease::ref),
                false,
                now,
                Optional.empty(),
                true)),
        Optional.of(
            new FailedVersion(spec.version(), last.to(), why, now, spec.restartCounter(), former)));
  }

  /** Whether the former files cannot be put in place, and another version is wanted meanwhile. */
  private static boolean isBackBlocked(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last) {
    return last.back()
        && last.phase() == Phase.SWITCH
        && Goal.failed(instance).filter(it -> !Goal.isOf(it, instance.spec())).isPresent()
        && InstanceState.of(instance, children).state() == State.BROKEN;
  }

  /**
   * Another release is wanted meanwhile. Before the files are switched, the old processes go on or
   * start again. After that there is nothing to start until the other release is prepared, unless
   * the new processes are being started already.
   */
  private static Optional<Replacement> retargeted(
      Children children, Replacement last, Optional<String> target, Instant now) {
    var used = children.usedRelease();
    boolean switched = used.equals(last.to()) && !used.equals(last.from());
    boolean down =
        last.phase() != Phase.START && (last.down() || (last.phase() == Phase.SWITCH && switched));
    if (used.equals(target)) {
      // After an unfinished switch, the files of the used release are rendered again.
      if (!down) {
        return Optional.empty();
      }
      return Optional.of(
          isThere(children, target)
              ? new Replacement(Phase.SWITCH, last.from(), target, false, now)
              : new Replacement(Phase.PREPARE, used, target, true, now));
    }
    return Optional.of(
        new Replacement(Phase.PREPARE, used, target, down, now)
            .withFormer(switched ? last.former() : Optional.empty()));
  }
}
