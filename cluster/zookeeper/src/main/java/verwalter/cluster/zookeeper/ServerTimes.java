package verwalter.cluster.zookeeper;

import java.time.Duration;

/**
 * The times of an elector's server.
 *
 * @param tick the unit of all other times: a session ends up to a tick later than its length
 * @param silence a leader that receives nothing from a majority for so long steps down, and so does
 *     a follower without its leader
 * @param shortestSession the shortest session that a client may request
 * @param longestSession the longest one
 */
public record ServerTimes(
    Duration tick, Duration silence, Duration shortestSession, Duration longestSession) {
  /** For networks of one site. */
  public static final ServerTimes NORMAL =
      new ServerTimes(
          Duration.ofMillis(400),
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60));

  /** For networks without pauses, to notice lost members sooner. */
  public static final ServerTimes SHORT =
      new ServerTimes(
          Duration.ofMillis(100),
          Duration.ofMillis(800),
          Duration.ofMillis(800),
          Duration.ofSeconds(60));

  /** How long a member may take to receive the present state from the leader. */
  private static final Duration INIT = Duration.ofSeconds(20);

  /** The {@link #silence} in ticks. */
  long syncLimit() {
    return silence.dividedBy(tick);
  }

  /** The ticks in which a member must have received the present state from the leader. */
  long initLimit() {
    return INIT.dividedBy(tick);
  }
}
