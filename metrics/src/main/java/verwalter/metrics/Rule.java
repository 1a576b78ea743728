package verwalter.metrics;

import java.time.Duration;
import java.util.List;

/**
 * A rule of a schedule: a query over the history.
 *
 * @param match selects the series
 * @param extract the values of each series to use
 * @param functions functions applied to the values, in order
 * @param asRate whether to return the growth of each series
 * @param window the time over which rates and trends are measured
 */
record Rule(
    Match match, Extract extract, List<Function> functions, boolean asRate, Duration window) {
  /** The default window. */
  static final Duration WINDOW = Duration.ofSeconds(60);

  Rule {
    functions = List.copyOf(functions);
  }

  /** The values of each series to use. */
  sealed interface Extract {}

  /** The newest value. */
  record Tip() implements Extract {}

  /** The newest value minus the oldest of the given number of values before it. */
  record Diff(int points) implements Extract {}

  /** The given number of newest values. */
  record Newest(int points) implements Extract {}

  /** The values of the given time span. */
  record Back(Duration span) implements Extract {}

  /** A function of the values. */
  sealed interface Function {}

  /** Replaces values by the growth per second. */
  record Derivative() implements Function {}

  /** Adds all series. */
  record Sum() implements Function {}

  /**
   * Adds the series for each value of a label.
   *
   * @param total whether to add a sum of all series with an empty key
   */
  record SumBy(String label, boolean total) implements Function {}
}
