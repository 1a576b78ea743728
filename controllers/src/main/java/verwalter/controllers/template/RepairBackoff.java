package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;

/**
 * The backoff of repairs: drifted files are restored at once the first time, and after growing
 * pauses while they keep changing. Immutable.
 *
 * @param repairs the number of repairs without a quiet time in between
 * @param last time of the last repair; not used before the first one
 */
record RepairBackoff(int repairs, Instant last) {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofMinutes(5);

  /** The backoff starts anew after this time without a repair. */
  static final Duration RESET_AFTER = Duration.ofMinutes(15);

  /** The backoff before the first repair. */
  static final RepairBackoff NEW = new RepairBackoff(0, Instant.EPOCH);

  /** How long to wait until the next repair; zero if it may happen now. */
  Duration pause(Instant now) {
    if (isReset(now)) {
      return Duration.ZERO;
    }
    var wait = FIRST.multipliedBy(1L << Math.min(repairs - 1, 20));
    var until = last.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
  }

  /** The backoff after a repair. */
  RepairBackoff repaired(Instant now) {
    return new RepairBackoff(isReset(now) ? 1 : repairs + 1, now);
  }

  private boolean isReset(Instant now) {
    // The time since a repair is unknown if the clock was set back.
    return repairs == 0
        || now.isBefore(last)
        || Duration.between(last, now).compareTo(RESET_AFTER) > 0;
  }
}
