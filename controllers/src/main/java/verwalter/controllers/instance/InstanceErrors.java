package verwalter.controllers.instance;

import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.InstanceError;
import verwalter.model.InstanceError.Retry;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

/** Computes the error of an instance from its children. Pure. */
final class InstanceErrors {
  /** The error of an instance in a state; empty while nothing has failed. */
  static Optional<InstanceError> of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      InstanceState state) {
    return switch (state.state()) {
      case PREPARING -> preparing(instance, children).or(() -> memory(instance));
      case WAITING -> memory(instance);
      case BROKEN -> Optional.of(broken(children, state));
      case RUNNING, HALTED ->
          Goal.failed(instance).map(failed -> onChange(InstanceState.runsAgain(failed)));
      case INITIAL, RENDERING, BOOTING, HALTING -> Optional.empty();
    };
  }

  private static Optional<InstanceError> preparing(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    return children
        .releases()
        .incomplete(instance.spec())
        .flatMap(Resource::status)
        .flatMap(InstanceErrors::unprepared)
        .or(
            () ->
                children
                    .checkOfNext(instance)
                    .filter(Condition::isFalse)
                    .filter(it -> !it.hasReason(Reason.WAITING))
                    .map(InstanceErrors::unrendered));
  }

  private static Optional<InstanceError> unprepared(DeploymentRef.Status status) {
    return Condition.find(status.conditions(), ConditionType.PREPARED)
        .filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING))
        .map(
            it ->
                new InstanceError(
                    it.message().isEmpty() ? it.reason() : it.message(),
                    status.nextRetry().isPresent() ? Retry.AT_TIME : Retry.ON_CHANGE,
                    status.nextRetry()));
  }

  private static Optional<InstanceError> memory(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return StartGate.closing(instance)
        .filter(it -> it.hasReason(Reason.MISSING_MEMORY))
        .map(it -> new InstanceError(it.message(), Retry.WHEN_FREED, Optional.empty()));
  }

  private static InstanceError unrendered(Condition failed) {
    return failed.hasReason(Reason.MACHINE_FAILED)
        ? new InstanceError(failed.message(), Retry.AFTER_DELAY, Optional.empty())
        : onChange(failed.message());
  }

  /** A process that will be started again, files that failed, or what only a change can repair. */
  private static InstanceError broken(Children children, InstanceState state) {
    return children.slots().stream()
        .filter(ProcessGroup.Slot::failed)
        .findFirst()
        .filter(slot -> slot.state() == ProcessGroup.State.WAITING)
        .filter(slot -> state.reason().equals(slot.name() + ": " + slot.reason()))
        .map(slot -> new InstanceError(state.lastingReason(), Retry.AFTER_DELAY, slot.nextStart()))
        .or(
            () ->
                children
                    .output()
                    .flatMap(Resource::status)
                    .flatMap(it -> Condition.find(it.conditions(), ConditionType.RENDERED))
                    .filter(Condition::isFalse)
                    .filter(it -> it.message().equals(state.reason()))
                    .map(InstanceErrors::unrendered))
        .orElseGet(() -> onChange(state.reason()));
  }

  private static InstanceError onChange(String message) {
    return new InstanceError(message, Retry.ON_CHANGE, Optional.empty());
  }

  private InstanceErrors() {}
}
