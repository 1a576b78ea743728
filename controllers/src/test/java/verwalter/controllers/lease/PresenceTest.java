package verwalter.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

class PresenceTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Condition READY =
      Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 3, NOW);
  private static final Condition UNKNOWN =
      Condition.ofUnknown(ConditionType.READY, Reason.LEASE_EXPIRED, "silent", 3, NOW.minus(DAY));
  private static final SortedSet<Duration> LIMITS = limits();

  private static SortedSet<Duration> limits(Duration... reactions) {
    var limits = new TreeSet<>(List.of(reactions));
    limits.add(Presence.TERM);
    return limits;
  }

  private static Presence evaluate(
      Condition before, Duration silence, Presence.Renewals renewals, SortedSet<Duration> limits) {
    return Presence.of(
        new Presence.Known(Optional.ofNullable(before), Optional.ofNullable(silence), 3),
        renewals,
        limits,
        NOW);
  }

  private static Presence evaluate(Condition before, Presence.Renewals renewals) {
    return evaluate(before, null, renewals, LIMITS);
  }

  /**
   * The presence of a node whose last renewal arrived {@code silence} ago, after steady renewals.
   */
  private static Presence renewed(Condition before, Duration silence, Duration steady) {
    return evaluate(
        before, new Presence.Renewals(DAY, Optional.of(steady), Optional.of(silence), 0));
  }

  /** The presence of a node without a renewal. */
  private static Presence unrenewed(Condition before, Duration listening) {
    return evaluate(
        before, new Presence.Renewals(listening, Optional.empty(), Optional.empty(), 0));
  }

  private static Presence ready(Duration again) {
    return new Presence(Optional.of(READY), Optional.empty(), again);
  }

  private static Presence same(Duration again) {
    return new Presence(Optional.empty(), Optional.empty(), again);
  }

  @Test
  void aNewNodeIsReadyWithItsFirstRenewal() {
    assertThat(renewed(null, Duration.ZERO, Duration.ZERO)).isEqualTo(ready(Presence.TERM));
  }

  @Test
  void aNodeThatReportsLateAfterItsJoinIsReadyWithItsFirstRenewal() {
    var late = unrenewed(null, Presence.TERM);
    assertThat(late.silence()).contains(Presence.TERM);
    assertThat(late.condition())
        .hasValueSatisfying(
            it -> {
              assertThat(it.status()).isEqualTo(Condition.Truth.UNKNOWN);
              assertThat(it.hasReason(Reason.NEVER_REPORTED)).isTrue();
            });
    var before = late.condition().orElseThrow();
    assertThat(unrenewed(before, DAY).condition()).isEmpty();
    assertThat(renewed(before, Duration.ZERO, Duration.ZERO)).isEqualTo(ready(Presence.TERM));
  }

  @Test
  void aReadyNodeStaysReadyForATerm() {
    assertThat(renewed(READY, Duration.ofSeconds(7), Duration.ofHours(1)))
        .isEqualTo(ready(Presence.TERM.minusSeconds(7)));
    assertThat(renewed(READY, Presence.TERM.minus(MILLI), Duration.ofHours(1)))
        .isEqualTo(ready(MILLI));
  }

  @Test
  void aNodeIsUnknownWhenItsTermIsOver() {
    var presence = renewed(READY, Presence.TERM, Duration.ofHours(1));
    assertThat(presence.again()).isEqualTo(Presence.TERM);
    assertThat(presence.condition())
        .hasValueSatisfying(
            it -> {
              assertThat(it.status()).isEqualTo(Condition.Truth.UNKNOWN);
              assertThat(it.hasReason(Reason.LEASE_EXPIRED)).isTrue();
              assertThat(it.observedGeneration()).isEqualTo(3);
              assertThat(it.message()).contains(NOW.minus(Presence.TERM).toString());
            });
  }

  @Test
  void anUnknownNodeStaysAsItIsWhileItIsSilent() {
    assertThat(renewed(UNKNOWN, Presence.TERM.plusHours(1), Duration.ofHours(9)))
        .isEqualTo(new Presence(Optional.empty(), Optional.of(Presence.TERM), Presence.TERM));
  }

  @Test
  void aNodeThatIsNotReadyForAnotherReasonIsUnknownWhenItIsSilent() {
    var before = Condition.ofFalse(ConditionType.READY, Reason.BROKEN, "", 3, NOW);
    assertThat(renewed(before, Presence.TERM, Duration.ofHours(9)).condition())
        .hasValueSatisfying(it -> assertThat(it.status()).isEqualTo(Condition.Truth.UNKNOWN));
  }

  @Test
  void anUnknownNodeIsReadyAfterSteadyRenewals() {
    assertThat(renewed(UNKNOWN, Duration.ofSeconds(1), Presence.STEADY))
        .isEqualTo(ready(Presence.TERM.minusSeconds(1)));
    assertThat(renewed(UNKNOWN, Duration.ofSeconds(1), Presence.STEADY.minus(MILLI)))
        .isEqualTo(same(MILLI));
  }

  @Test
  void anUnknownNodeIsEvaluatedAgainWhenItIsSteadyOrItsTermIsOver() {
    var silence = Presence.TERM.minusSeconds(3);
    assertThat(renewed(UNKNOWN, Duration.ZERO, Duration.ZERO).again()).isEqualTo(Presence.STEADY);
    assertThat(renewed(UNKNOWN, silence, Duration.ZERO).again()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void renewalsWhoseBeginningIsUnknownAreNotSteady() {
    var presence =
        evaluate(
            UNKNOWN, new Presence.Renewals(DAY, Optional.empty(), Optional.of(Duration.ZERO), 0));
    assertThat(presence).isEqualTo(same(Presence.STEADY));
  }

  @Test
  void aNewLeaderWaitsATermBeforeItCallsANodeUnknown() {
    assertThat(unrenewed(READY, Duration.ofSeconds(7)))
        .isEqualTo(same(Presence.TERM.minusSeconds(7)));
    assertThat(unrenewed(null, Duration.ofSeconds(7)))
        .isEqualTo(same(Presence.TERM.minusSeconds(7)));
    assertThat(unrenewed(READY, Presence.TERM).condition())
        .hasValueSatisfying(it -> assertThat(it.status()).isEqualTo(Condition.Truth.UNKNOWN));
  }

  @Test
  void renewalsBeforeALeaderListenedDoNotCountAsSilence() {
    var presence =
        evaluate(
            READY,
            new Presence.Renewals(
                Duration.ofSeconds(7), Optional.of(DAY), Optional.of(Presence.TERM), 0));
    assertThat(presence).isEqualTo(same(Presence.TERM.minusSeconds(7)));
  }

  @Test
  void aRenewalFromShortlyBeforeALeaderListenedCounts() {
    var presence =
        evaluate(
            READY,
            new Presence.Renewals(
                Duration.ofSeconds(7), Optional.of(DAY), Optional.of(Duration.ofSeconds(9)), 0));
    assertThat(presence).isEqualTo(ready(Presence.TERM.minusSeconds(7)));
  }

  @Test
  void aNodeThatWasLostTwiceMustRenewForTwiceAsLong() {
    var steady = Presence.STEADY.multipliedBy(2);
    assertThat(lostTwice(steady.minus(MILLI)).condition()).isEmpty();
    assertThat(lostTwice(steady.minus(MILLI)).again()).isEqualTo(MILLI);
    assertThat(lostTwice(steady).condition()).contains(READY);
  }

  private static Presence lostTwice(Duration steady) {
    return evaluate(
        UNKNOWN, new Presence.Renewals(DAY, Optional.of(steady), Optional.of(Duration.ZERO), 2));
  }

  private static Presence silent(Condition before, Duration known, Duration silence) {
    return evaluate(
        before,
        known,
        new Presence.Renewals(DAY, Optional.of(DAY), Optional.of(silence), 0),
        limits(Duration.ofSeconds(5), Duration.ofSeconds(60)));
  }

  @Test
  void aNodeIsUnknownAsSoonAsItIsLostForOneRole() {
    var four = silent(READY, null, Duration.ofSeconds(4));
    assertThat(four).isEqualTo(ready(Duration.ofSeconds(1)));
    var five = silent(READY, null, Duration.ofSeconds(5));
    assertThat(five.condition().orElseThrow().status()).isEqualTo(Condition.Truth.UNKNOWN);
    assertThat(five.silence()).contains(Duration.ofSeconds(5));
    assertThat(five.again()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void theSilenceGrowsFromLimitToLimit() {
    var five = Duration.ofSeconds(5);
    assertThat(silent(UNKNOWN, five, Duration.ofSeconds(14)))
        .isEqualTo(new Presence(Optional.empty(), Optional.of(five), Duration.ofSeconds(1)));
    assertThat(silent(UNKNOWN, five, Duration.ofSeconds(15)))
        .isEqualTo(
            new Presence(Optional.empty(), Optional.of(Presence.TERM), Duration.ofSeconds(45)));
    assertThat(silent(UNKNOWN, five, Duration.ofHours(1)).silence())
        .contains(Duration.ofSeconds(60));
  }

  /** What an earlier leader has observed counts for its successor. */
  @Test
  void theSilenceThatAnEarlierLeaderObservedIsNotShortened() {
    var minute = Duration.ofSeconds(60);
    for (var listening : List.of(Duration.ofSeconds(1), Duration.ofSeconds(20))) {
      var presence =
          evaluate(
              UNKNOWN,
              minute,
              new Presence.Renewals(listening, Optional.empty(), Optional.empty(), 0),
              limits(minute));
      assertThat(presence.condition()).isEmpty();
      assertThat(presence.silence()).contains(minute);
    }
  }

  @Test
  void aNodeThatIsBackStaysLostUntilItsRenewalsAreSteady() {
    var minute = Duration.ofSeconds(60);
    for (var steady : List.of(Presence.STEADY.minus(MILLI), Presence.STEADY)) {
      var presence =
          evaluate(
              UNKNOWN,
              minute,
              new Presence.Renewals(DAY, Optional.of(steady), Optional.of(Duration.ZERO), 1),
              limits(minute));
      assertThat(presence.silence().isEmpty()).isEqualTo(steady.equals(Presence.STEADY));
    }
  }
}
