package verwalter.cluster.zookeeper;

import java.time.Duration;

/**
 * The times of an elector's server.
 *
 * @param tick the unit of all other times; a leader that receives nothing from a majority for four
 *     ticks steps down, and so does a follower without its leader
 * @param shortestSession the shortest session that a client may request
 * @param longestSession the longest one
 */
public record ServerTimes(Duration tick, Duration shortestSession, Duration longestSession) {
  /** For networks of one site. */
  public static final ServerTimes NORMAL =
      new ServerTimes(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(60));

  /** For networks without pauses, to notice lost members sooner. */
  public static final ServerTimes SHORT =
      new ServerTimes(Duration.ofMillis(200), Duration.ofMillis(800), Duration.ofSeconds(60));

  /** The ticks after which a connection between electors without any message ends. */
  static final int SYNC_LIMIT = 4;

  /** The ticks in which a member must have received the present state from the leader. */
  static final int INIT_LIMIT = 40;
}
