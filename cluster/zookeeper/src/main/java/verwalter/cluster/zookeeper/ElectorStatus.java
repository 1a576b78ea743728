package verwalter.cluster.zookeeper;

import java.util.List;
import java.util.OptionalLong;

/**
 * The present state of an elector's server, for display.
 *
 * @param role what it does
 * @param zxid the number of the last transaction on its disk; negative if it has none
 * @param leader id of the leader; empty if it is unknown
 * @param voters the members that vote, by id
 * @param observers the members that only receive, by id
 */
public record ElectorStatus(
    Role role, long zxid, OptionalLong leader, List<Elector> voters, List<Elector> observers) {
  public ElectorStatus {
    voters = List.copyOf(voters);
    observers = List.copyOf(observers);
  }

  /** What a server does. */
  public enum Role {
    /** It is not running. */
    STOPPED,
    /** It looks for a leader, or receives what it has missed. */
    LOOKING,
    /** It receives transactions from the leader, and votes unless it is joining. */
    FOLLOWING,
    /** It orders the transactions. */
    LEADING,
    /** It receives transactions and does not vote. */
    OBSERVING,
    /** It was removed from the members, and has stopped for good. */
    REMOVED;

    /** Whether it answers clients. */
    public boolean isServing() {
      return this == FOLLOWING || this == LEADING || this == OBSERVING;
    }
  }
}
