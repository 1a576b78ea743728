package verwalter.model;

import java.util.Optional;

/**
 * What the first start of the processes of a version waits for. A change of it does not restart
 * anything.
 *
 * @param delaySeconds how long the start waits, in seconds; 0 for not at all
 * @param memory bytes that the processes of the role need together on a node; the start waits while
 *     the node has less. Absent if the start does not wait for memory.
 */
public record StartPolicy(long delaySeconds, Optional<Long> memory) {
  /** The policy of versions that have none. */
  public static final StartPolicy NONE = new StartPolicy(0, Optional.empty());
}
