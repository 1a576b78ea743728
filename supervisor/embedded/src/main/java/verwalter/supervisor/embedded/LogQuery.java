package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.Optional;

/**
 * Selects lines of the logs of a group.
 *
 * @param process only the instances of this process, and of those that a scheduler made of it by
 *     adding a dash and a number, such as {@code web-0} of {@code web}
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
        && process.filter(it -> !isOf(it, slot.process())).isEmpty()
        && index.filter(it -> it != slot.index()).isEmpty();
  }

  private static boolean isOf(String wanted, String process) {
    return process.equals(wanted)
        || (process.startsWith(wanted + "-")
            && process.substring(wanted.length() + 1).matches("\\d+"));
  }
}
