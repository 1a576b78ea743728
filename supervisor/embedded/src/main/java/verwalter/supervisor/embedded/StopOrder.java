package verwalter.supervisor.embedded;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.model.ProcessSpec;

/**
 * The order in which the processes of a group are stopped: some wait until others, which are not
 * wanted either, have ended. Only the terms of runs count, which are in their notes. Pure.
 */
final class StopOrder {
  /** The time from SIGKILL until nothing is left of a process. */
  private static final Duration END = Duration.ofSeconds(5);

  /**
   * The unwanted instances of a process.
   *
   * @param time in which they end once they are asked to
   * @param before the names of processes that wait for them
   */
  private record Ending(Duration time, Set<String> before) {}

  private final Map<String, Ending> ending = new HashMap<>();
  private final Map<String, Duration> known = new HashMap<>();

  private StopOrder(List<SlotState> group) {
    for (var slot : group) {
      if (slot.isUnwanted()) {
        slot.phase()
            .activeRun()
            .ifPresent(run -> ending.merge(process(slot), ending(run), StopOrder::both));
      }
    }
  }

  private static String process(SlotState slot) {
    return SlotName.parse(slot.slot()).process();
  }

  private static Ending ending(Run run) {
    var terms = run.terms();
    var time =
        SlotState.START_TIMEOUT
            .plusSeconds(terms.stopDelay())
            .plusSeconds(terms.killTimeout())
            .plus(END);
    return new Ending(time, Set.copyOf(terms.stopsBefore()));
  }

  private static Ending both(Ending one, Ending other) {
    var before = new HashSet<>(one.before());
    before.addAll(other.before());
    return new Ending(
        one.time().compareTo(other.time()) > 0 ? one.time() : other.time(), Set.copyOf(before));
  }

  /**
   * The time that a process which is not wanted waits at most for others; empty if none of them has
   * to end before it.
   *
   * @param group all slots of its group
   */
  static Optional<Duration> wait(SlotState slot, List<SlotState> group) {
    boolean ordered =
        group.stream()
            .anyMatch(
                it ->
                    it.phase()
                        .activeRun()
                        .filter(run -> !run.terms().stopsBefore().isEmpty())
                        .isPresent());
    return ordered && slot.isUnwanted()
        ? Optional.of(new StopOrder(group).longest(process(slot))).filter(it -> !it.isZero())
        : Optional.empty();
  }

  /** Processes that wait for each other add their time only once. */
  private Duration longest(String process) {
    var before = known.putIfAbsent(process, Duration.ZERO);
    if (before != null) {
      return before;
    }
    var longest = Duration.ZERO;
    for (var other : ending.entrySet()) {
      if (!other.getKey().equals(process)
          && ProcessSpec.Stop.names(other.getValue().before(), process)) {
        var time = longest(other.getKey()).plus(other.getValue().time());
        longest = time.compareTo(longest) > 0 ? time : longest;
      }
    }
    known.put(process, longest);
    return longest;
  }
}
