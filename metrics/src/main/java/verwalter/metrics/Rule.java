package verwalter.metrics;

import java.time.Duration;
import java.util.List;

/**
 * A rule of a schedule: a query of the history.
 *
 * @param match selects the series
 * @param extract which values of each series it takes
 * @param functions functions applied to the values, in order
 * @param asRate whether the value of each series is how fast it grows
 * @param window the time over which rates and trends are measured
 */
record Rule(
    Match match, Extract extract, List<Function> functions, boolean asRate, Duration window) {
  /** The window of a rule that names none. */
  static final Duration WINDOW = Duration.ofSeconds(60);

  Rule {
    functions = List.copyOf(functions);
  }

  /** Which values of each series a rule takes. */
  sealed interface Extract {}

  /** The newest value. */
  record Tip() implements Extract {}

  /** The newest value less the oldest of so many before it. */
  record Diff(int points) implements Extract {}

  /** So many of the newest values. */
  record Newest(int points) implements Extract {}

  /** Values back to the first that is that much older than the newest. */
  record Back(Duration span) implements Extract {}

  /** A function of the values taken. */
  sealed interface Function {}

  /** Values become growth per second. */
  record Derivative() implements Function {}

  /** All become one. */
  record Sum() implements Function {}

  /**
   * One for each value of a label.
   *
   * @param total whether there is one more, with an empty key, for all of them together
   */
  record SumBy(String label, boolean total) implements Function {}
}
