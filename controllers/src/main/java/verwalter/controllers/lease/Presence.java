package verwalter.controllers.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedSet;
import verwalter.cluster.Leases;
import verwalter.cluster.sides.LossPolicy;
import verwalter.cluster.sides.NodeLoss;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/**
 * Computes the condition Ready of a node, and for how long it has been silent, from the renewals of
 * its lease. Pure.
 *
 * <p>A node without a renewal for {@link #TERM}, or for a shorter time after which some role
 * reacts, is Unknown: its agent may run or not. It becomes ready again only after renewals for
 * {@link #STEADY}, and for twice as long after each further loss, so that an unreliable network
 * does not change the condition with each renewal. Until then its silence counts as before. A node
 * that has never renewed its lease is Unknown too, but ready with its first renewal.
 *
 * @param condition what the condition should be; empty to leave it as it is
 * @param silence the largest limit that the silence has reached; empty for a node that is reachable
 * @param again when to evaluate again if no renewal arrives
 */
record Presence(Optional<Condition> condition, Optional<Duration> silence, Duration again) {
  /** The silence after which a node is Unknown even if no role reacts to it. */
  static final Duration TERM = LossPolicy.DEFAULT.after().orElseThrow();

  /** How long renewals must arrive before an Unknown node becomes ready. */
  static final Duration STEADY = Leases.RENEWAL.multipliedBy(5);

  private static final Duration LONGEST = STEADY.multipliedBy(16);

  /** After how long with steady renewals the earlier losses of a node do not count any more. */
  static final Duration FORGOTTEN = Duration.ofMinutes(10);

  /**
   * The state of a node before the evaluation.
   *
   * @param ready its condition Ready
   * @param silence the largest limit that its silence has reached
   * @param generation the generation of its spec
   */
  record Known(Optional<Condition> ready, Optional<Duration> silence, long generation) {}

  /**
   * The renewals of one machine, with the age of each event in the time that this leader observed.
   *
   * @param listening since when this leader receives renewals without a pause; missing renewals
   *     before that do not count
   * @param steady since when renewals arrive without a gap
   * @param last the last renewal
   * @param losses how often its renewals stopped recently
   */
  record Renewals(
      Duration listening, Optional<Duration> steady, Optional<Duration> last, int losses) {
    private NodeLoss loss(boolean wasLost, Duration limit) {
      var signs = new NodeLoss.Signs(listening, last, steady, wasLost, losses);
      return NodeLoss.of(signs, new NodeLoss.Limits(limit, limit, STEADY, LONGEST));
    }
  }

  /**
   * Evaluates a node.
   *
   * @param limits the times after which some role reacts, and {@link #TERM}
   * @param now the time for display
   */
  static Presence of(Known before, Renewals renewals, SortedSet<Duration> limits, Instant now) {
    boolean wasLost =
        before
            .ready()
            .filter(it -> !it.isTrue() && !it.hasReason(Reason.NEVER_REPORTED))
            .isPresent();
    var loss = renewals.loss(wasLost, limits.first());
    return switch (loss.presence()) {
      case LOST -> lost(before, renewals.last().isEmpty(), loss, limits, now);
      case SUSPECT -> new Presence(Optional.empty(), before.silence(), loss.again());
      case REACHABLE -> {
        boolean heard =
            renewals.last().filter(age -> age.compareTo(limits.first()) < 0).isPresent();
        yield new Presence(
            heard ? Optional.of(running(before, now)) : Optional.empty(),
            heard ? Optional.empty() : before.silence(),
            loss.again());
      }
    };
  }

  private static Presence lost(
      Known before, boolean unheard, NodeLoss loss, SortedSet<Duration> limits, Instant now) {
    var silence = loss.silence();
    var reached = limits.stream().filter(each -> each.compareTo(silence) <= 0).reduce((a, b) -> b);
    var longest =
        before
            .silence()
            .filter(known -> reached.filter(each -> each.compareTo(known) > 0).isEmpty())
            .or(() -> reached);
    var next = limits.stream().filter(each -> each.compareTo(silence) > 0).findFirst();
    boolean known = before.ready().filter(it -> it.status() == Condition.Truth.UNKNOWN).isPresent();
    return new Presence(
        known
            ? Optional.empty()
            : Optional.of(
                unheard && before.ready().isEmpty()
                    ? unknown(
                        before,
                        Reason.NEVER_REPORTED,
                        "its agent has not reported since the node joined",
                        now)
                    : unknown(
                        before,
                        Reason.LEASE_EXPIRED,
                        "its agent has not renewed its lease since %s; its processes are assumed to run"
                            .formatted(now.minus(silence)),
                        now)),
        longest,
        next.map(each -> each.minus(silence)).orElse(TERM));
  }

  private static Condition unknown(Known before, Reason reason, String message, Instant now) {
    return Condition.ofUnknown(ConditionType.READY, reason, message, before.generation(), now);
  }

  private static Condition running(Known before, Instant now) {
    return Condition.ofTrue(
        ConditionType.READY, Reason.AGENT_RUNNING, "", before.generation(), now);
  }
}
