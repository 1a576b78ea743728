package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.controllers.template.TemplatePlan.Step;
import verwalter.model.TemplateOutput;

class TemplatePlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final RoleState NEW = RoleState.of("web");
  private static final Optional<String> NOTHING_ALLOWED = Optional.empty();
  private static final Attempt FIRST = attempt(1, 1, "s1");

  private static Attempt attempt(long generation, long epoch, String schedule) {
    return new Attempt(
        "uid",
        generation,
        epoch,
        Optional.of(schedule).filter(hash -> !hash.isEmpty()),
        Optional.empty(),
        NOTHING_ALLOWED,
        Optional.empty());
  }

  private static Templates.Applied applied(
      List<TemplateOutput.Changed> drifted,
      boolean repaired,
      boolean reportsOnly,
      boolean ofSchedule,
      String... needs) {
    return new Templates.Applied(
        "digest",
        List.of(),
        List.of(),
        List.of(),
        drifted,
        repaired,
        reportsOnly,
        List.of(),
        List.of(needs),
        ofSchedule,
        true,
        List.of());
  }

  private static final Templates.Applied FINE = applied(List.of(), false, false, false);

  private static List<TemplateOutput.Changed> drift() {
    return List.of(
        new TemplateOutput.Changed(
            "/f",
            "changed",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  /** {@code last} and {@code paused} are generation/epoch/schedule; the pause ends in 10 s. */
  @ParameterizedTest(name = "last {0}, paused {1}, suspect {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,       -,       false, APPLY",
        "-,       -,       true,  APPLY",
        "1/1/s1,  -,       false, NOTHING",
        "1/1/s1,  -,       true,  CHECK",
        "1/1/,    -,       false, NOTHING",
        "1/1/,    -,       true,  CHECK",
        "1/1/s0,  -,       false, APPLY",
        "1/1/s0,  -,       true,  APPLY",
        "0/1/s1,  -,       false, APPLY",
        "1/0/s1,  -,       false, APPLY",
        "-,       1/1/s1,  false, NOTHING",
        "-,       1/1/s1,  true,  NOTHING",
        "1/1/s1,  1/1/s1,  true,  NOTHING",
        "-,       0/1/s1,  false, APPLY",
        "-,       1/0/s1,  false, APPLY",
        "-,       1/1/s0,  false, APPLY",
      })
  void theStepFollowsFromTheState(String last, String paused, boolean suspect, Step step) {
    var state =
        NEW.withLast(Optional.ofNullable(last).map(TemplatePlanTest::parsed))
            .withPause(
                Optional.ofNullable(paused)
                    .map(it -> new RoleState.Pause(parsed(it), NOW.plusSeconds(10))))
            .withSuspect(suspect);

    var plan = TemplatePlan.of(state, FIRST, NOW);

    assertThat(plan.step()).isEqualTo(step);
    boolean waits = "1/1/s1".equals(paused);
    assertThat(plan.again())
        .isEqualTo(waits ? Optional.of(Duration.ofSeconds(10)) : Optional.empty());
    assertThat(plan.state()).isEqualTo(step == Step.NOTHING ? state : state.withSuspect(false));
  }

  private static Attempt parsed(String text) {
    var words = text.split("/", -1);
    return attempt(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]);
  }

  @Test
  void aPauseEndsAtItsTime() {
    var state = NEW.withPause(Optional.of(new RoleState.Pause(FIRST, NOW)));
    assertThat(TemplatePlan.of(state, FIRST, NOW).step()).isEqualTo(Step.APPLY);
    assertThat(TemplatePlan.of(state, FIRST, NOW.minusMillis(1)).again())
        .hasValue(Duration.ofMillis(1));
  }

  @Test
  void anApplicationReplacesTheNeedsAndEndsWaitingAndPauses() {
    var state =
        NEW.withNeeds(List.of("db"), List.of("db"))
            .withPause(Optional.of(new RoleState.Pause(attempt(0, 0, "s0"), NOW)));

    var next = TemplatePlan.applied(state, FIRST, applied(List.of(), false, false, true, "c"), NOW);

    assertThat(next.needs()).hasValue(List.of("c"));
    assertThat(next.waiting()).isEmpty();
    assertThat(next.pause()).isEmpty();
    assertThat(next.backoff()).isEqualTo(RepairBackoff.NEW);
    assertThat(next.last()).isEmpty();
  }

  @Test
  void aCheckKeepsTheNeeds() {
    var state =
        NEW.withLast(Optional.of(FIRST))
            .withNeeds(List.of("db"), List.of("db"))
            .withForced(OptionalLong.of(1));

    var next = TemplatePlan.applied(state, FIRST, applied(drift(), true, false, false), NOW);

    assertThat(next.needs()).hasValue(List.of("db"));
    assertThat(next.waiting()).containsExactly("db");
    assertThat(next.forced()).hasValue(1);
    assertThat(next.backoff()).isEqualTo(new RepairBackoff(1, NOW));
  }

  @ParameterizedTest(name = "asked in epoch {0}, attempted in epoch 1: still to be done {1}")
  @CsvSource({"0, false", "1, false", "2, true"})
  void aRequestIsServedByAnAttemptThatBeganAfterIt(long asked, boolean open) {
    var next = TemplatePlan.applied(NEW.withForced(OptionalLong.of(asked)), FIRST, FINE, NOW);
    assertThat(next.forced().isPresent()).isEqualTo(open);
    assertThat(TemplatePlan.applied(NEW, FIRST, FINE, NOW).forced()).isEmpty();
  }

  @Test
  void aTemplateThatReadsTheScheduleIsAppliedForEachSchedule() {
    var ofSchedule = applied(List.of(), false, false, true);
    var next = TemplatePlan.recorded(NEW, FIRST, ofSchedule, NOTHING_ALLOWED, NOW).state();
    assertThat(next.last()).hasValue(FIRST);
    assertThat(next.dependsOnSchedule()).isTrue();
    assertThat(next.isDone(attempt(1, 1, "s2"))).isFalse();
  }

  @Test
  void aTemplateThatDoesNotReadTheScheduleIsNotAppliedForAnotherSchedule() {
    var next = TemplatePlan.recorded(NEW, FIRST, FINE, NOTHING_ALLOWED, NOW).state();
    assertThat(next.last()).hasValue(FIRST.ofRoleAlone());
    assertThat(next.dependsOnSchedule()).isFalse();
    assertThat(next.isDone(attempt(1, 1, "s2"))).isTrue();
    assertThat(next.isDone(attempt(2, 1, "s1"))).isFalse();
  }

  @Test
  void aCheckKeepsTheAttemptOfTheApplication() {
    var state = NEW.withLast(Optional.of(FIRST.ofRoleAlone()));
    var ofSchedule = applied(List.of(), false, false, true);
    var next = TemplatePlan.recorded(state, FIRST, ofSchedule, NOTHING_ALLOWED, NOW).state();
    assertThat(next.last()).hasValue(FIRST.ofRoleAlone());
  }

  @Test
  void theAllowedRenderingIsPartOfTheAttempt() {
    var next = TemplatePlan.recorded(NEW, FIRST, FINE, Optional.of("held"), NOW).state();
    assertThat(next.isDone(FIRST)).isFalse();
    assertThat(next.isDone(FIRST.allowing(Optional.of("held")))).isTrue();
  }

  @Test
  void aResolvedCycleIsNotPartOfTheAttempt() {
    var cycle = FIRST.in(Optional.of("a -> b -> a"));
    var next = TemplatePlan.recorded(NEW, cycle, FINE, NOTHING_ALLOWED, NOW).state();
    assertThat(next.isDone(FIRST)).isTrue();
    assertThat(next.isDone(cycle)).isFalse();
  }

  @ParameterizedTest(name = "drifted {0}, repaired {1}, reports only {2}, repairs {3}: {4} ms")
  @CsvSource(
      nullValues = "-",
      value = {
        "false, false, false, 0, -",
        "true,  true,  false, 0, -",
        "true,  false, true,  0, -",
        "true,  false, false, 0, 300",
        "true,  false, false, 1, 1000",
        "true,  false, false, 3, 4000",
      })
  void driftThatIsNotRepairedIsCheckedAgain(
      boolean drifted, boolean repaired, boolean reportsOnly, int repairs, Long again) {
    var state = NEW.withBackoff(repairs == 0 ? RepairBackoff.NEW : new RepairBackoff(repairs, NOW));
    var outcome = applied(drifted ? drift() : List.of(), repaired, reportsOnly, false);

    var plan = TemplatePlan.recorded(state, FIRST, outcome, NOTHING_ALLOWED, NOW);

    assertThat(plan.again()).isEqualTo(Optional.ofNullable(again).map(Duration::ofMillis));
    assertThat(plan.state().suspect()).isEqualTo(again != null);
    assertThat(plan.step()).isEqualTo(Step.NOTHING);
  }

  @Test
  void aLastingFailureIsNotRepeatedButTheFilesAreChecked() {
    for (var failure :
        List.of(
            new Templates.Failed("no such filter", true),
            Templates.Failed.held(new TemplateOutput.Held("x", List.of()), "held"))) {
      var plan = TemplatePlan.failed(NEW, FIRST, failure, false, NOW);
      assertThat(plan.state().last()).hasValue(FIRST);
      assertThat(plan.state().suspect()).isTrue();
      assertThat(plan.again()).hasValue(RoleState.SETTLE);
      assertThat(TemplatePlan.of(plan.state(), FIRST, NOW).step()).isEqualTo(Step.CHECK);

      var checked = TemplatePlan.failed(NEW, FIRST, failure, true, NOW);
      assertThat(checked.state().last()).hasValue(FIRST);
      assertThat(checked.state().suspect()).isFalse();
      assertThat(checked.again()).isEmpty();
    }
  }

  @Test
  void aTemporaryFailureIsRetriedAfterAPause() {
    var state = NEW.withLast(Optional.of(attempt(0, 1, "s1")));

    var plan = TemplatePlan.failed(state, FIRST, new Templates.Failed("disk", false), false, NOW);

    assertThat(plan.state().last()).isEmpty();
    assertThat(plan.again()).hasValue(RoleState.RETRY);
    var until = NOW.plus(RoleState.RETRY);
    assertThat(plan.state().pause()).hasValue(new RoleState.Pause(FIRST, until));
    assertThat(TemplatePlan.of(plan.state(), FIRST, NOW).step()).isEqualTo(Step.NOTHING);
    assertThat(TemplatePlan.of(plan.state(), FIRST, until).step()).isEqualTo(Step.APPLY);
  }

  @Test
  void aWaitingRoleIsRetriedAndRemembersItsNeeds() {
    var failure = Templates.Failed.needing(new Needs.Obstacle(false, "waits"), List.of("db"));

    var plan = TemplatePlan.failed(NEW, FIRST, failure, false, NOW);

    assertThat(plan.state().needs()).hasValue(List.of("db"));
    assertThat(plan.state().waiting()).containsExactly("db");
    assertThat(plan.state().needsOthers()).isTrue();
    assertThat(plan.state().last()).isEmpty();
    assertThat(plan.again()).hasValue(RoleState.RETRY);
  }

  @Test
  void aCycleIsALastingFailureUntilItChanges() {
    var failure = Templates.Failed.needing(new Needs.Obstacle(true, "a -> a"), List.of("a"));
    var state = NEW.withNeeds(List.of(), List.of("db"));

    var plan = TemplatePlan.failed(state, FIRST, failure, false, NOW);

    assertThat(plan.state().needs()).hasValue(List.of("a"));
    assertThat(plan.state().waiting()).isEmpty();
    assertThat(plan.state().isDone(FIRST)).isFalse();
    assertThat(plan.state().isDone(FIRST.in(Optional.of("a -> a")))).isTrue();
    assertThat(plan.again()).hasValue(RoleState.SETTLE);
  }

  @Test
  void aClockThatIsSetBackDoesNotProlongAPause() {
    var state = NEW.withPause(Optional.of(new RoleState.Pause(FIRST, NOW)));
    assertThat(TemplatePlan.of(state, FIRST, NOW.minus(RoleState.RETRY)).step())
        .isEqualTo(Step.NOTHING);
    assertThat(TemplatePlan.of(state, FIRST, NOW.minus(Duration.ofDays(1))).step())
        .isEqualTo(Step.APPLY);
  }
}
