package verwalter.cluster.joining;

import java.util.Optional;

/** A refusal of a request, for people: what is wrong, and the command to run next. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  /** Why a request is refused. */
  public enum Reason {
    /** It is malformed, too large, or names something that is not valid. */
    INVALID(400),
    /** The token does not exist, or its secret is wrong. */
    WRONG_TOKEN(401),
    /** The token has expired. */
    EXPIRED_TOKEN(401),
    /** The token has no uses left. */
    USED_UP(401),
    /** The token is for something else. */
    OTHER_PURPOSE(403),
    /** The certificate does not allow it. */
    FORBIDDEN(403),
    /** The node was removed from the cluster. */
    REMOVED(403),
    /** There is no such path. */
    UNKNOWN(404),
    /** Another machine has the name, or the name exists and the token does not name it. */
    NAME_TAKEN(409),
    /** Another node has the address. */
    ADDRESS_TAKEN(409),
    /** The clocks of both machines differ too much. */
    CLOCK_DIFFERS(409),
    /** Enough nodes run a server of the log, so this one follows it as an observer. */
    ENOUGH_SERVERS(409),
    /** There are too many requests. */
    TOO_MANY(429),
    /** There is no leader, or it cannot be reached. */
    NO_LEADER(503),
    /** It failed because of an error in the cluster, which its log describes. */
    FAILED(500);

    private final int status;

    Reason(int status) {
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  private final Reason reason;
  private final String next;
  private final String leader;

  /** A refusal as it is sent. */
  record Message(Reason reason, String message, String next, String leader) {}

  /**
   * A refusal.
   *
   * @param next a command, or what to do; empty if there is nothing to do
   */
  public Refused(Reason reason, String message, String next) {
    this(reason, message, next, "");
  }

  private Refused(Reason reason, String message, String next, String leader) {
    super(message, null, false, false);
    this.reason = reason;
    this.next = next;
    this.leader = leader;
  }

  /** Only the leader can answer; empty if there is none. */
  static Refused notLeading(Optional<String> leader) {
    return new Refused(
        Reason.NO_LEADER,
        leader
            .map(it -> "the leader of the cluster is at " + it)
            .orElse("the cluster has no leader now, so it admits nobody"),
        leader.map(it -> "verwalter join " + it).orElse("vw status"),
        leader.orElse(""));
  }

  static Refused of(Message message) {
    return new Refused(message.reason, message.message, message.next, message.leader);
  }

  Message message() {
    return new Message(reason, String.valueOf(getMessage()), next, leader);
  }

  /** The cluster address of the leader, which can answer; empty if it is not known. */
  Optional<String> leader() {
    return Optional.of(leader).filter(it -> !it.isEmpty());
  }

  public Reason reason() {
    return reason;
  }

  /** A command, or what to do; empty if there is nothing to do. */
  public String next() {
    return next;
  }
}
