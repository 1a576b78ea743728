package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.Optional;

/**
 * Selects lines of the logs of a group.
 *
 * @param process only the instances of this process
 * @param index only the instance with this number
 * @param tail the last lines of each instance, at most; negative for all
 * @param since only lines that were written at this time or later
 * @param previous the run before the last start of each instance instead of the end of its log
 * @param removed also instances that are not wanted any more, while their logs are kept
 */
public record LogQuery(
    String group,
    Optional<String> process,
    Optional<Integer> index,
    int tail,
    Optional<Instant> since,
    boolean previous,
    boolean removed) {

  /** Whether the instance is selected. */
  boolean selects(SlotName slot) {
    return slot.group().equals(group)
        && process.filter(it -> !it.equals(slot.process())).isEmpty()
        && index.filter(it -> it != slot.index()).isEmpty();
  }
}
