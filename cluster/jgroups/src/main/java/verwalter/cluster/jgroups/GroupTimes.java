package verwalter.cluster.jgroups;

import java.time.Duration;

/**
 * The times of a group.
 *
 * @param heartbeat the interval of messages that show that a member is alive
 * @param silence how long a member may be silent before the others remove it
 * @param merging the longest pause between two attempts to meet other members
 */
public record GroupTimes(Duration heartbeat, Duration silence, Duration merging) {
  /** The times of a cluster. */
  public static final GroupTimes NORMAL =
      new GroupTimes(Duration.ofMillis(500), Duration.ofMillis(2500), Duration.ofSeconds(4));
}
