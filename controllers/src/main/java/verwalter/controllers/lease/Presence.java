package verwalter.controllers.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import verwalter.cluster.Leases;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/**
 * Whether a node is ready, judged by its lease. Pure.
 *
 * <p>A node of which nothing is heard for {@link #TERM} is Unknown: it may run or not. After that
 * it is ready again only when its renewals have come for {@link #STEADY}, so that a bad line does
 * not change the condition with each renewal that gets through.
 *
 * @param condition what the condition should be; empty to leave it as it is
 * @param again when to judge again, if nothing is heard until then
 */
record Presence(Optional<Condition> condition, Duration again) {
  /** How long a lease lasts: four renewals. */
  static final Duration TERM = Leases.RENEWAL.multipliedBy(4);

  /** How long renewals must have come before a node that was Unknown is ready. */
  static final Duration STEADY = Leases.RENEWAL.multipliedBy(2);

  /**
   * What was heard of one machine.
   *
   * @param listening since when this leader listens without a pause; silence before that says
   *     nothing
   * @param steady since when renewals have come without a gap of a whole term
   * @param last the last renewal
   */
  record Heard(Instant listening, Optional<Instant> steady, Optional<Instant> last) {}

  /** Judges a node whose condition Ready is {@code before}. */
  static Presence of(Optional<Condition> before, Heard heard, long generation, Instant now) {
    var last = heard.last().filter(at -> at.isAfter(heard.listening())).orElse(heard.listening());
    var silence = Duration.between(last, now);
    if (silence.compareTo(TERM) >= 0) {
      var message =
          "nothing was heard of its agent since %s; what runs there is taken to go on"
              .formatted(last);
      return new Presence(
          before.filter(it -> it.status() == Condition.Truth.UNKNOWN).isPresent()
              ? Optional.empty()
              : Optional.of(
                  Condition.unknown(
                      ConditionType.READY, Reason.LEASE_EXPIRED, message, generation, now)),
          TERM);
    }
    var rest = TERM.minus(silence);
    boolean fresh =
        heard.last().filter(at -> Duration.between(at, now).compareTo(TERM) < 0).isPresent();
    if (!fresh) {
      return new Presence(Optional.empty(), rest);
    }
    if (before.isPresent() && !before.get().isTrue()) {
      var steady = Duration.between(heard.steady().orElse(now), now);
      if (steady.compareTo(STEADY) < 0) {
        var wait = STEADY.minus(steady);
        return new Presence(Optional.empty(), wait.compareTo(rest) < 0 ? wait : rest);
      }
    }
    return new Presence(
        Optional.of(Condition.yes(ConditionType.READY, Reason.AGENT_RUNNING, "", generation, now)),
        rest);
  }
}
