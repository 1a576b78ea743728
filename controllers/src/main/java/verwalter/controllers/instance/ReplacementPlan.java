package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Optional;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;

/**
 * The phases in which an instance replaces its release: the new one is prepared while the old one
 * runs, the old processes end, the files are switched, and the new processes start. Pure.
 */
final class ReplacementPlan {
  /**
   * The replacement after this moment. It has to be stored before anything is done because of it.
   */
  static Optional<Replacement> next(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children, Instant now) {
    var last = instance.status().flatMap(RoleInstance.Status::replacement);
    if (children.output().isEmpty()) {
      return Optional.empty(); // the first release replaces nothing
    }
    var used = children.usedRelease();
    var target = ReleaseRefs.target(instance.spec());
    if (last.isEmpty()) {
      return used.equals(target)
          ? last
          : Optional.of(new Replacement(Phase.PREPARE, used, target, false, now));
    }
    return last.get().to().equals(target)
        ? advanced(instance, children, last.get())
        : retargeted(children, last.get(), target, now);
  }

  private static Optional<Replacement> advanced(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement last) {
    boolean done =
        switch (last.phase()) {
          case PREPARE -> children.isNextChecked(instance) && !StartGate.isClosed(instance);
          case STOP -> children.areDown(instance);
          case SWITCH -> children.usedRelease().equals(last.to()) && children.rendered(instance);
          case START -> InstanceState.of(instance, children).isUp();
        };
    if (!done) {
      return Optional.of(last);
    }
    return switch (last.phase()) {
      case PREPARE -> Optional.of(last.in(Phase.STOP));
      case STOP -> Optional.of(last.in(Phase.SWITCH));
      case SWITCH -> Optional.of(last.in(Phase.START));
      case START -> Optional.empty();
    };
  }

  /**
   * Another release is wanted meanwhile. Before the files are switched, the old processes go on or
   * start again. After that there is nothing to start until the other release is prepared.
   */
  private static Optional<Replacement> retargeted(
      Children children, Replacement last, Optional<String> target, Instant now) {
    var used = children.usedRelease();
    boolean switched = used.equals(last.to()) && !used.equals(last.from());
    boolean down = last.down() || (last.phase() == Phase.SWITCH && switched);
    if (used.equals(target)) {
      // After an unfinished switch, the files of the used release are rendered again.
      return down
          ? Optional.of(new Replacement(Phase.SWITCH, last.from(), target, false, now))
          : Optional.empty();
    }
    return Optional.of(new Replacement(Phase.PREPARE, used, target, down, now));
  }

  private ReplacementPlan() {}
}
