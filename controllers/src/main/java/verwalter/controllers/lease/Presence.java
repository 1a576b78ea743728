package verwalter.controllers.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import verwalter.cluster.Leases;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/**
 * Computes the condition Ready of a node from the renewals of its lease. Pure.
 *
 * <p>A node without a renewal for {@link #TERM} is Unknown: its agent may run or not. It becomes
 * ready again only after renewals for {@link #STEADY}, so that an unreliable network does not
 * change the condition with each renewal.
 *
 * @param condition what the condition should be; empty to leave it as it is
 * @param again when to evaluate again if no renewal arrives
 */
record Presence(Optional<Condition> condition, Duration again) {
  /** The duration of a lease: four renewal intervals. */
  static final Duration TERM = Leases.RENEWAL.multipliedBy(4);

  /** How long renewals must arrive before an Unknown node becomes ready. */
  static final Duration STEADY = Leases.RENEWAL.multipliedBy(2);

  /**
   * The renewals of one machine.
   *
   * @param listening since when this leader receives renewals without a pause; missing renewals
   *     before that do not count
   * @param steady since when renewals arrive without a gap of a whole term
   * @param last time of the last renewal
   */
  record Renewals(Instant listening, Optional<Instant> steady, Optional<Instant> last) {}

  /** Evaluates a node whose condition Ready is {@code before}. */
  static Presence of(Optional<Condition> before, Renewals renewals, long generation, Instant now) {
    var last =
        renewals.last().filter(at -> at.isAfter(renewals.listening())).orElse(renewals.listening());
    var silence = Duration.between(last, now);
    if (silence.compareTo(TERM) >= 0) {
      var message =
          "its agent has not renewed its lease since %s; its processes are assumed to run"
              .formatted(last);
      return new Presence(
          before.filter(it -> it.status() == Condition.Truth.UNKNOWN).isPresent()
              ? Optional.empty()
              : Optional.of(
                  Condition.ofUnknown(
                      ConditionType.READY, Reason.LEASE_EXPIRED, message, generation, now)),
          TERM);
    }
    var rest = TERM.minus(silence);
    boolean fresh =
        renewals.last().filter(at -> Duration.between(at, now).compareTo(TERM) < 0).isPresent();
    if (!fresh) {
      return new Presence(Optional.empty(), rest);
    }
    if (before.isPresent() && !before.get().isTrue()) {
      var steady = Duration.between(renewals.steady().orElse(now), now);
      if (steady.compareTo(STEADY) < 0) {
        var wait = STEADY.minus(steady);
        return new Presence(Optional.empty(), wait.compareTo(rest) < 0 ? wait : rest);
      }
    }
    return new Presence(
        Optional.of(
            Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", generation, now)),
        rest);
  }
}
