package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.UsedRelease;
import verwalter.model.VersionImage;

/** Tests that counters which go backwards ask for nothing. */
class ExecutedCommandsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final RoleInstance.Spec SPEC =
      new RoleInstance.Spec("app", "n1", "app/v1", Optional.of("v1"), Map.of())
          .withRelease(
              Optional.of(
                  new RoleInstance.WantedRelease(
                      new VersionImage("/v1.tar", Optional.empty()), 1)));

  private static Optional<Long> counter(long number) {
    return Optional.of(number).filter(it -> it > 0);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      long restart, long restarted, long purge, long purged) {
    var status =
        new RoleInstance.Status(1, RoleInstance.State.RUNNING, 1, 1, 0, NOW, "", List.of())
            .withCounters(counter(restarted), counter(purged));
    return Resource.of(
            RoleInstance.KIND,
            "app@n1",
            SPEC.withRestartCounter(counter(restart)).withPurgeCounter(counter(purge)))
        .withStatus(status);
  }

  /** The children of an instance whose files are those of the release after that many purges. */
  private static Children inPlace(long purges) {
    var release = ReleaseRefs.wanted(SPEC.withPurgeCounter(counter(purges))).orElseThrow();
    var name = DeploymentRef.name(release);
    var used = new UsedRelease(name, "/releases/v1", Optional.empty(), Optional.of("v1"));
    var output =
        new TemplateOutput.Spec(
            "app", "n1", "app/v1", Map.of(), Optional.of(used), Optional.empty());
    return new Children(
        Optional.of(Resource.of(TemplateOutput.KIND, "app@n1", output)),
        List.of(),
        List.of(),
        new ReleaseRefs(List.of(Resource.of(DeploymentRef.KIND, name, release))));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> applied(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    return ExecutedCommands.of(instance, children).applyTo(instance, NOW);
  }

  private static Optional<Condition> condition(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return Condition.find(
        instance.status().orElseThrow().conditions(), ConditionType.COUNTERS_CURRENT);
  }

  @ParameterizedTest(name = "{0} requested, {1} in the status, {2} in place")
  @CsvSource({
    "0, 0, 0, 0, false",
    "1, 0, 0, 1, false",
    "5, 5, 5, 5, false",
    "6, 5, 5, 6, false",
    "4, 5, 5, 5, true",
    "4, 4, 5, 5, true", // the files were switched, and the processes do not run yet
    "4, 5, 0, 5, true", // the release is missing
    "0, 5, 5, 5, false", // the request is lost, not smaller
  })
  void aPurgeIsRequestedOnlyByALargerNumber(
      long requested, long purged, long inPlace, long effective, boolean behind) {
    var applied = applied(instance(0, 0, requested, purged), inPlace(inPlace));

    assertThat(applied.spec().purgeCounter()).isEqualTo(counter(effective));
    assertThat(condition(applied).isPresent()).isEqualTo(behind);
  }

  @ParameterizedTest(name = "{0} requested, {1} in the status")
  @CsvSource({
    "0, 0, 0, false",
    "1, 0, 1, false",
    "5, 5, 5, false",
    "6, 5, 6, false",
    "4, 5, 5, true",
    "0, 5, 5, false",
  })
  void aRestartIsRequestedOnlyByALargerNumber(
      long requested, long restarted, long effective, boolean behind) {
    var applied = applied(instance(requested, restarted, 0, 0), inPlace(0));

    assertThat(applied.spec().restartCounter()).isEqualTo(counter(effective));
    assertThat(condition(applied).isPresent()).isEqualTo(behind);
  }

  @Test
  void theConditionSaysWhichCounterIsBehindAndWhichNumberHasAnEffect() {
    var applied = applied(instance(3, 5, 1, 2), inPlace(2));

    assertThat(condition(applied))
        .contains(
            Condition.ofFalse(
                ConditionType.COUNTERS_CURRENT,
                Reason.COUNTER_BEHIND,
                "spec.restartCounter is 3, and 5 was carried out already: only 6 and more have an"
                    + " effect; spec.purgeCounter is 1, and 2 was carried out already: only 3 and"
                    + " more have an effect",
                0,
                NOW));
  }

  @Test
  void theConditionIsTrueOnceNoCounterIsBehindAnyMore() {
    var behind = applied(instance(3, 5, 0, 0), inPlace(0));

    var current = applied(behind.withSpec(SPEC.withRestartCounter(counter(5))), inPlace(0));

    assertThat(condition(current))
        .contains(
            Condition.ofTrue(ConditionType.COUNTERS_CURRENT, Reason.COUNTERS_CURRENT, "", 0, NOW));
  }

  @Test
  void anInstanceWithoutAStatusHasTheCountersOfItsSpec() {
    var instance = Resource.of(RoleInstance.KIND, "app@n1", SPEC.withPurgeCounter(counter(2)));

    assertThat(applied(instance, inPlace(0)).spec()).isEqualTo(instance.spec());
  }
}
