package verwalter.controllers.instance;

import java.time.Duration;
import java.util.Optional;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.RoleInstance.State;
import verwalter.model.UpdatePolicy;

/** Decides whether a new version has failed, so that its node goes back to the former one. Pure. */
final class StartFailure {
  /** How long the processes of a new version have to run before the former one is given up. */
  static final Duration RUN_TIME = Duration.ofSeconds(10);

  /** How long they may need until all of them run. */
  static final Duration START_TIME = Duration.ofSeconds(60);

  /**
   * Why the new version has failed; empty if it has not, or if its node does not go back. Before
   * the switch it cannot fail: it is only prepared.
   *
   * @param trial how long its processes have been observed
   */
  static Optional<String> of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Replacement replacement,
      StartTrial trial) {
    if (!isWatched(instance, replacement)) {
      return Optional.empty();
    }
    var state = InstanceState.of(instance, children);
    if (replacement.phase() == Phase.SWITCH) {
      return Optional.of(state).filter(it -> it.state() == State.BROKEN).map(InstanceState::reason);
    }
    if (!children.rendered(instance)) {
      return Optional.empty(); // templates have changed; the processes are not affected
    }
    return state.state() == State.BROKEN
        ? Optional.of(state.lastingReason())
        : ended(children)
            .or(
                () ->
                    trial.startExpired() && !state.isUp()
                        ? Optional.of(
                            "its processes did not come up within %d s: %s"
                                .formatted(START_TIME.toSeconds(), state.reason()))
                        : Optional.empty());
  }

  /** Whether the node goes back if the new version fails now. */
  static boolean isWatched(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Replacement replacement) {
    return replacement.former().isPresent()
        && !replacement.back()
        && (replacement.phase() == Phase.SWITCH || replacement.phase() == Phase.START)
        && reverts(instance.spec());
  }

  static boolean reverts(RoleInstance.Spec spec) {
    return spec.update().filter(it -> it.onFailure() == UpdatePolicy.OnFailure.REVERT).isPresent();
  }

  /** A process that ended by itself and was started again may run at this moment. */
  private static Optional<String> ended(Children children) {
    return children.slots().stream()
        .filter(slot -> slot.restarts() > 0)
        .flatMap(
            slot ->
                slot.lastExit().filter(ProcessGroup.Exit::failure).stream()
                    .map(exit -> slot.name() + ": " + exit.message().orElse("it ended by itself")))
        .findFirst();
  }

  private StartFailure() {}
}
