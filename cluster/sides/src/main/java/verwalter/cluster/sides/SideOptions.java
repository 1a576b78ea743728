package verwalter.cluster.sides;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * The options of elections on a side.
 *
 * @param forceLeader {@code --debug-force-leader}: this node leads at once, independent of others
 * @param allowMinority {@code --allow-minority-cluster}: roles without a policy are scheduled on a
 *     minority side, after {@link #FORGOTTEN}
 * @param oldestView a node whose view was confirmed longer ago does not lead
 * @param latest a node whose evaluation is later than this was paused, and does not lead
 * @param settling how long a side must be without a majority before it elects a leader
 */
public record SideOptions(
    boolean forceLeader,
    boolean allowMinority,
    Duration oldestView,
    Duration latest,
    Duration settling) {
  /**
   * For how long verwalter 0.13 counts a node that it does not see any more. A side of {@code
   * --allow-minority-cluster} elects a leader after this time.
   */
  public static final Duration FORGOTTEN = Duration.ofSeconds(75);

  /** No flag is set. */
  public static final SideOptions DEFAULT =
      new SideOptions(
          false, false, Duration.ofSeconds(5), Duration.ofMillis(1600), Duration.ofSeconds(5));

  /** The policy of a role: its own one, or the one that the flags say. */
  public MinorityPolicy policy(Optional<MinorityPolicy> own) {
    return own.orElse(
        forceLeader || allowMinority ? MinorityPolicy.SCHEDULE : MinorityPolicy.FREEZE);
  }

  /**
   * After how long without a majority a side elects a leader; empty if it never does, because no
   * role is to be scheduled there.
   *
   * @param own the policies that roles have
   */
  public Optional<Duration> electsAfter(Collection<MinorityPolicy> own) {
    if (forceLeader) {
      return Optional.of(Duration.ZERO);
    }
    if (own.contains(MinorityPolicy.SCHEDULE)) {
      return Optional.of(settling);
    }
    return allowMinority ? Optional.of(FORGOTTEN) : Optional.empty();
  }
}
