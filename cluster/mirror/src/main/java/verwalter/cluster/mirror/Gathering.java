package verwalter.cluster.mirror;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides when a new leader knows enough of what runs for its first decision. Pure.
 *
 * <p>The leader waits for the objects of 90 % of the known nodes. After {@link Phase#CONNECTING} it
 * waits only for the nodes that can reach it, and at the end for none.
 */
public final class Gathering {
  /** The percentage of the awaited nodes that suffices. */
  public static final int PERCENT = 90;

  /** How long {@link Phase#CONNECTING} lasts. */
  public static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

  /** After how long no node is awaited any more. */
  public static final Duration LIMIT = Duration.ofSeconds(15);

  /** What a new leader waits for. */
  public enum Phase {
    /** The known nodes connect. */
    CONNECTING,
    /** The nodes that are connected send their objects; the others are not awaited. */
    RECEIVING,
    /** No node is awaited any more. */
    OVER
  }

  /**
   * The state of gathering.
   *
   * @param ready whether the leader may decide
   * @param present number of awaited nodes with a complete mirror
   * @param needed number of nodes that suffice
   * @param missing awaited nodes without a complete mirror
   */
  public record Progress(boolean ready, int present, int needed, Set<String> missing) {
    public Progress {
      missing = Set.copyOf(missing);
    }
  }

  /**
   * Returns the state.
   *
   * @param known the nodes of the cluster, this one included
   * @param connected the nodes with a connection, known or not
   * @param complete the nodes with a complete mirror, known or not
   */
  public static Progress of(
      Phase phase, Set<String> known, Set<String> connected, Set<String> complete) {
    var awaited = new TreeSet<>(known);
    if (phase != Phase.CONNECTING) {
      awaited.removeIf(node -> !connected.contains(node) && !complete.contains(node));
    }
    var missing = new TreeSet<>(awaited);
    missing.removeAll(complete);
    int present = awaited.size() - missing.size();
    int needed = (awaited.size() * PERCENT + 99) / 100;
    return new Progress(phase == Phase.OVER || present >= needed, present, needed, missing);
  }

  private Gathering() {}
}
