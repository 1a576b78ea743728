package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;

/**
 * How soon files that somebody keeps changing are put back: at once the first time, and after ever
 * longer pauses while that goes on. Immutable.
 *
 * @param repairs how often the files were put back without a quiet time in between
 * @param last when they were put back last; of no meaning before the first time
 */
record Pace(int repairs, Instant last) {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofMinutes(5);

  /** After so long without a repair the next one is a first one again. */
  static final Duration FORGIVEN = Duration.ofMinutes(15);

  /** Nothing was put back yet. */
  static final Pace NEW = new Pace(0, Instant.EPOCH);

  /** How long the files must stay as they are; zero if they may be put back now. */
  Duration pause(Instant now) {
    if (isForgiven(now)) {
      return Duration.ZERO;
    }
    var wait = FIRST.multipliedBy(1L << Math.min(repairs - 1, 20));
    var until = last.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
  }

  /** The pace after the files were put back. */
  Pace repaired(Instant now) {
    return new Pace(isForgiven(now) ? 1 : repairs + 1, now);
  }

  private boolean isForgiven(Instant now) {
    return repairs == 0 || Duration.between(last, now).compareTo(FORGIVEN) > 0;
  }
}
