package verwalter.controllers.instance;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

/**
 * The last commands that an instance has carried out or begun. A smaller counter, as after a backup
 * was restored, asks for nothing. Pure.
 *
 * @param restart the number of the last restart; 0 if there was none
 * @param purge the number of the last purge whose release is in place or replaces it; 0 if there
 *     was none
 */
record ExecutedCommands(long restart, long purge) {
  static ExecutedCommands of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var status = instance.status();
    // The status follows only when the processes of the release run.
    long begun =
        Stream.concat(
                Stream.of(
                        children.usedRelease(),
                        status
                            .flatMap(RoleInstance.Status::replacement)
                            .flatMap(RoleInstance.Replacement::to))
                    .flatMap(Optional::stream)
                    .flatMap(name -> children.releases().find(name).stream()),
                children.refsInPlace())
            .map(Resource::spec)
            .mapToLong(DeploymentRef.Spec::localGeneration)
            .max()
            .orElse(0L);
    return new ExecutedCommands(
        status.flatMap(RoleInstance.Status::restartCounter).orElse(0L),
        Math.max(begun, status.flatMap(RoleInstance.Status::purgeCounter).orElse(0L)));
  }

  /** The instance without requests that were carried out before, and with the condition about. */
  Resource<RoleInstance.Spec, RoleInstance.Status> applyTo(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Instant now) {
    var spec = instance.spec();
    var effective =
        instance.withSpec(
            spec.withRestartCounter(atLeast(restart, spec.restartCounter()))
                .withPurgeCounter(atLeast(purge, spec.purgeCounter())));
    return instance
        .status()
        .map(
            status ->
                effective.withStatus(
                    status.admitted(conditions(instance, status, now), status.start())))
        .orElse(effective);
  }

  private static Optional<Long> atLeast(long executed, Optional<Long> counter) {
    return counter
        .filter(it -> it >= executed)
        .or(() -> Optional.of(executed))
        .filter(it -> it > 0);
  }

  private List<Condition> conditions(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      RoleInstance.Status status,
      Instant now) {
    var generation = instance.meta().generation();
    var behind =
        String.join(
            "; ",
            Stream.of(
                    behind(RoleInstance.RESTART_COUNTER, restart, instance.spec().restartCounter()),
                    behind(RoleInstance.PURGE_COUNTER, purge, instance.spec().purgeCounter()))
                .flatMap(Optional::stream)
                .toList());
    if (!behind.isEmpty()) {
      return Condition.put(
          status.conditions(),
          Condition.ofFalse(
              ConditionType.COUNTERS_CURRENT, Reason.COUNTER_BEHIND, behind, generation, now));
    }
    return Condition.find(status.conditions(), ConditionType.COUNTERS_CURRENT).isEmpty()
        ? status.conditions()
        : Condition.put(
            status.conditions(),
            Condition.ofTrue(
                ConditionType.COUNTERS_CURRENT, Reason.COUNTERS_CURRENT, "", generation, now));
  }

  private static Optional<String> behind(String field, long executed, Optional<Long> counter) {
    return counter
        .filter(it -> it < executed)
        .map(
            it ->
                "spec.%s is %d, and %d was carried out already: only %d and more have an effect"
                    .formatted(field, it, executed, executed + 1));
  }
}
