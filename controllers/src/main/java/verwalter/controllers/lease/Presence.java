package verwalter.controllers.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import verwalter.cluster.Leases;
import verwalter.cluster.sides.NodeLoss;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/**
 * Computes the condition Ready of a node from the renewals of its lease. Pure.
 *
 * <p>A node without a renewal for {@link #TERM} is Unknown: its agent may run or not. It becomes
 * ready again only after renewals for {@link #STEADY}, and for twice as long after each further
 * loss, so that an unreliable network does not change the condition with each renewal.
 *
 * @param condition what the condition should be; empty to leave it as it is
 * @param again when to evaluate again if no renewal arrives
 */
record Presence(Optional<Condition> condition, Duration again) {
  /** The duration of a lease: four renewal intervals. */
  static final Duration TERM = Leases.RENEWAL.multipliedBy(4);

  /** How long renewals must arrive before an Unknown node becomes ready. */
  static final Duration STEADY = Leases.RENEWAL.multipliedBy(2);

  private static final NodeLoss.Limits LIMITS =
      new NodeLoss.Limits(TERM, TERM, STEADY, STEADY.multipliedBy(16));

  /** After how long with steady renewals the earlier losses of a node do not count any more. */
  static final Duration FORGOTTEN = Duration.ofMinutes(10);

  /**
   * The renewals of one machine.
   *
   * @param listening since when this leader receives renewals without a pause; missing renewals
   *     before that do not count
   * @param steady since when renewals arrive without a gap of a whole term
   * @param last time of the last renewal
   * @param losses how often its renewals stopped for a whole term recently
   */
  record Renewals(Instant listening, Optional<Instant> steady, Optional<Instant> last, int losses) {
    /** Creates the renewals of a machine that was never lost. */
    Renewals(Instant listening, Optional<Instant> steady, Optional<Instant> last) {
      this(listening, steady, last, 0);
    }

    private NodeLoss loss(boolean wasLost, Instant now) {
      var signs =
          new NodeLoss.Signs(
              Duration.between(listening, now),
              last.map(at -> Duration.between(at, now)),
              steady.map(at -> Duration.between(at, now)),
              wasLost,
              losses);
      return NodeLoss.of(signs, LIMITS);
    }
  }

  /** Evaluates a node whose condition Ready is {@code before}. */
  static Presence of(Optional<Condition> before, Renewals renewals, long generation, Instant now) {
    boolean wasLost = before.filter(it -> !it.isTrue()).isPresent();
    var loss = renewals.loss(wasLost, now);
    if (loss.presence() == NodeLoss.Presence.LOST) {
      var message =
          "its agent has not renewed its lease since %s; its processes are assumed to run"
              .formatted(now.minus(loss.silence()));
      return new Presence(
          before.filter(it -> it.status() == Condition.Truth.UNKNOWN).isPresent()
              ? Optional.empty()
              : Optional.of(
                  Condition.ofUnknown(
                      ConditionType.READY, Reason.LEASE_EXPIRED, message, generation, now)),
          loss.again());
    }
    boolean fresh =
        renewals.last().filter(at -> Duration.between(at, now).compareTo(TERM) < 0).isPresent();
    if (!fresh || loss.presence() != NodeLoss.Presence.REACHABLE) {
      return new Presence(Optional.empty(), loss.again());
    }
    return new Presence(
        Optional.of(
            Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", generation, now)),
        loss.again());
  }
}
