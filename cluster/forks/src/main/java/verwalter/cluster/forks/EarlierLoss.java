package verwalter.cluster.forks;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.cluster.sides.MinorityPolicy.Mode;
import verwalter.concurrent.Loop;

/**
 * For how long this node was without a leader before its agent started, so that {@link
 * Mode#STOP_AFTER} goes on counting. It is the time that agents have observed, which needs no
 * clock: it is stored now and then, and the time without an agent does not count. Confined to its
 * loop.
 */
final class EarlierLoss {
  /** The time that a role has at least after a start, in which the node may find the leader. */
  static final Duration FINDING = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(EarlierLoss.class);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** A part of the time of a role that may be lost if the agent ends. */
  private static final int PART = 20;

  private final ForkFiles files;
  private final Loop loop;
  private Duration earlier;

  /** What the disk has. */
  private Duration stored;

  private boolean storing;
  private Optional<Duration> next = Optional.empty();

  /** Reads what is on disk. Blocks. */
  EarlierLoss(ForkFiles files, Loop loop) {
    this.files = files;
    this.loop = loop;
    this.earlier = read(files);
    this.stored = earlier;
  }

  private static Duration read(ForkFiles files) {
    try {
      return files.leaderless();
    } catch (IOException damaged) {
      LOG.warn("side: since when there is no leader is not known: {}", damaged.toString());
      return Duration.ZERO;
    }
  }

  /**
   * Since when there is no leader, for a role.
   *
   * @param lost since when this agent observes that
   */
  Duration begin(MinorityPolicy policy, Duration lost) {
    var most = policy.after().minus(FINDING);
    var credit = earlier.compareTo(most) < 0 ? earlier : most;
    return credit.isNegative() ? lost : lost.minus(credit);
  }

  /** Counts from zero: there is a leader, or this process was paused and there may be one. */
  void forget() {
    earlier = Duration.ZERO;
  }

  /** When to call {@link #update} again; empty if that is not necessary. */
  Optional<Duration> next() {
    return next;
  }

  /**
   * Stores the time if it is due.
   *
   * @param lost since when there is no leader; empty if there is one
   */
  void update(Collection<MinorityPolicy> policies, Optional<Duration> lost, Duration now) {
    var observed = lost.map(from -> earlier.plus(now.minus(from))).orElse(Duration.ZERO);
    var period = lost.isPresent() ? period(policies, observed) : Optional.<Duration>empty();
    if (period.isEmpty()) {
      next = Optional.empty();
      if (lost.isEmpty() && !stored.isZero() && !storing) {
        store(Duration.ZERO);
      }
      return;
    }
    var due = stored.plus(period.get());
    if (observed.compareTo(due) >= 0 || observed.compareTo(stored) < 0) {
      if (!storing) {
        store(observed);
      }
      next = Optional.of(now.plus(period.get()));
    } else {
      next = Optional.of(now.plus(due.minus(observed)));
    }
  }

  /** How often the time is stored; empty if no role is still to be stopped. */
  private static Optional<Duration> period(Collection<MinorityPolicy> policies, Duration observed) {
    return policies.stream()
        .filter(policy -> policy.mode() == Mode.STOP_AFTER)
        .filter(policy -> policy.after().compareTo(observed) > 0)
        .map(policy -> policy.after().dividedBy(PART))
        .min(Duration::compareTo)
        .map(part -> part.compareTo(SHORTEST) < 0 ? SHORTEST : part)
        .map(part -> part.compareTo(LONGEST) > 0 ? LONGEST : part);
  }

  private void store(Duration observed) {
    storing = true;
    loop.offload(
            () -> {
              files.writeLeaderless(observed);
              return observed;
            })
        .onComplete(
            done -> {
              storing = false;
              if (done.succeeded()) {
                stored = observed;
              } else {
                LOG.warn("side: {}", done.cause().toString());
              }
            });
  }
}
