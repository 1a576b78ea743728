package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How soon files that somebody keeps changing are put back: at once the first time, and after ever
 * longer pauses while it goes on. Confined to its loop.
 */
final class Pace {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofMinutes(5);

  /** After so long without a repair the next one is a first one again. */
  static final Duration FORGIVEN = Duration.ofMinutes(15);

  private final Map<String, Repairs> repairs = new HashMap<>();

  private record Repairs(int count, Instant last) {}

  /** How long the files of the owner must stay as they are; zero if they may be put back now. */
  Duration pause(String owner, Instant now) {
    var so = repairs.get(owner);
    if (so == null || Duration.between(so.last(), now).compareTo(FORGIVEN) > 0) {
      return Duration.ZERO;
    }
    var wait = FIRST.multipliedBy(1L << Math.min(so.count() - 1, 20));
    var until = so.last().plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
  }

  /** They were put back. */
  void repaired(String owner, Instant now) {
    var so = repairs.get(owner);
    boolean again = so != null && Duration.between(so.last(), now).compareTo(FORGIVEN) <= 0;
    repairs.put(owner, new Repairs(again && so != null ? so.count() + 1 : 1, now));
  }

  void forget(String owner) {
    repairs.remove(owner);
  }
}
