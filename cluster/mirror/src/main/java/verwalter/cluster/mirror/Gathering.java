package verwalter.cluster.mirror;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides when a new leader knows enough of what runs for its first decision: when the mirrors of
 * 90 % of the known nodes are complete, or after a time limit. Pure.
 *
 * @param begun when the term began
 * @param limit the time after which missing nodes are not awaited any more
 */
public record Gathering(Instant begun, Duration limit) {
  /** How long a new leader waits for missing nodes if nothing else is configured. */
  public static final Duration LIMIT = Duration.ofSeconds(15);

  /** The percentage of the known nodes that suffices. */
  public static final int PERCENT = 90;

  /**
   * The state of gathering.
   *
   * @param ready whether the leader may decide
   * @param present number of known nodes with a complete mirror
   * @param needed number of nodes that suffice before the limit
   * @param missing known nodes without a complete mirror
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
   * @param complete the nodes with a complete mirror, known or not
   */
  public Progress at(Instant now, Set<String> known, Set<String> complete) {
    var missing = new TreeSet<>(known);
    missing.removeAll(complete);
    int present = known.size() - missing.size();
    int needed = (known.size() * PERCENT + 99) / 100;
    boolean late = !now.isBefore(begun.plus(limit));
    return new Progress(late || present >= needed, present, needed, missing);
  }

  /** When the limit ends. */
  public Instant end() {
    return begun.plus(limit);
  }
}
