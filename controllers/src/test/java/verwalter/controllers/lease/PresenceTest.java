package verwalter.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

class PresenceTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(1));
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Condition READY =
      Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 3, NOW);
  private static final Condition UNKNOWN =
      Condition.ofUnknown(ConditionType.READY, Reason.LEASE_EXPIRED, "silent", 3, LONG_AGO);

  /**
   * The presence of a node whose last renewal arrived {@code silence} ago, after steady renewals.
   */
  private static Presence renewed(Condition before, Duration silence, Duration steady) {
    return Presence.of(
        Optional.ofNullable(before),
        new Presence.Renewals(
            LONG_AGO, Optional.of(NOW.minus(steady)), Optional.of(NOW.minus(silence))),
        3,
        NOW);
  }

  /** The presence of a node without a renewal. */
  private static Presence unrenewed(Condition before, Duration listening) {
    return Presence.of(
        Optional.ofNullable(before),
        new Presence.Renewals(NOW.minus(listening), Optional.empty(), Optional.empty()),
        3,
        NOW);
  }

  @Test
  void aNewNodeIsReadyWithItsFirstRenewal() {
    assertThat(renewed(null, Duration.ZERO, Duration.ZERO))
        .isEqualTo(new Presence(Optional.of(READY), Presence.TERM));
  }

  @Test
  void aReadyNodeStaysReadyForATerm() {
    assertThat(renewed(READY, Duration.ofSeconds(7), Duration.ofHours(1)))
        .isEqualTo(new Presence(Optional.of(READY), Presence.TERM.minusSeconds(7)));
    assertThat(renewed(READY, Presence.TERM.minus(MILLI), Duration.ofHours(1)))
        .isEqualTo(new Presence(Optional.of(READY), MILLI));
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
        .isEqualTo(new Presence(Optional.empty(), Presence.TERM));
  }

  @Test
  void aNodeThatIsNotReadyForAnotherReasonIsUnknownWhenItIsSilent() {
    var before = Condition.ofFalse(ConditionType.READY, Reason.BROKEN, "", 3, LONG_AGO);
    assertThat(renewed(before, Presence.TERM, Duration.ofHours(9)).condition())
        .hasValueSatisfying(it -> assertThat(it.status()).isEqualTo(Condition.Truth.UNKNOWN));
  }

  @Test
  void anUnknownNodeIsReadyAfterSteadyRenewals() {
    assertThat(renewed(UNKNOWN, Duration.ofSeconds(1), Presence.STEADY))
        .isEqualTo(new Presence(Optional.of(READY), Presence.TERM.minusSeconds(1)));
    assertThat(renewed(UNKNOWN, Duration.ofSeconds(1), Presence.STEADY.minus(MILLI)))
        .isEqualTo(new Presence(Optional.empty(), MILLI));
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
        Presence.of(
            Optional.of(UNKNOWN),
            new Presence.Renewals(LONG_AGO, Optional.empty(), Optional.of(NOW)),
            3,
            NOW);
    assertThat(presence).isEqualTo(new Presence(Optional.empty(), Presence.STEADY));
  }

  @Test
  void aNewLeaderWaitsATermBeforeItCallsANodeUnknown() {
    assertThat(unrenewed(READY, Duration.ofSeconds(7)))
        .isEqualTo(new Presence(Optional.empty(), Presence.TERM.minusSeconds(7)));
    assertThat(unrenewed(null, Duration.ofSeconds(7)))
        .isEqualTo(new Presence(Optional.empty(), Presence.TERM.minusSeconds(7)));
    assertThat(unrenewed(READY, Presence.TERM).condition())
        .hasValueSatisfying(it -> assertThat(it.status()).isEqualTo(Condition.Truth.UNKNOWN));
  }

  @Test
  void renewalsBeforeALeaderListenedDoNotCountAsSilence() {
    var presence =
        Presence.of(
            Optional.of(READY),
            new Presence.Renewals(
                NOW.minusSeconds(7), Optional.of(LONG_AGO), Optional.of(NOW.minus(Presence.TERM))),
            3,
            NOW);
    assertThat(presence).isEqualTo(new Presence(Optional.empty(), Presence.TERM.minusSeconds(7)));
  }

  @Test
  void aRenewalFromShortlyBeforeALeaderListenedCounts() {
    var presence =
        Presence.of(
            Optional.of(READY),
            new Presence.Renewals(
                NOW.minusSeconds(7), Optional.of(LONG_AGO), Optional.of(NOW.minusSeconds(9))),
            3,
            NOW);
    assertThat(presence).isEqualTo(new Presence(Optional.of(READY), Presence.TERM.minusSeconds(7)));
  }

  @Test
  void aNodeThatWasLostTwiceMustRenewForTwiceAsLong() {
    var steady = Presence.STEADY.multipliedBy(2);
    assertThat(lostTwice(steady.minus(MILLI)).condition()).isEmpty();
    assertThat(lostTwice(steady.minus(MILLI)).again()).isEqualTo(MILLI);
    assertThat(lostTwice(steady).condition()).contains(READY);
  }

  private static Presence lostTwice(Duration steady) {
    var renewals =
        new Presence.Renewals(LONG_AGO, Optional.of(NOW.minus(steady)), Optional.of(NOW), 2);
    return Presence.of(Optional.of(UNKNOWN), renewals, 3, NOW);
  }
}
