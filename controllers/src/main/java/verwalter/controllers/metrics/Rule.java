package verwalter.controllers.metrics;

import java.time.Duration;
import java.util.List;

/**
 * One question to the history.
 *
 * @param match which series it is about
 * @param extract what is taken of each
 * @param functions what is then done with it, in order
 * @param asRate whether the value of each series is how fast it grows
 * @param window over which rates and trends are measured
 */
record Rule(
    Match match, Extract extract, List<Function> functions, boolean asRate, Duration window) {
  /** Over which rates and trends are measured, if the rule does not say. */
  static final Duration WINDOW = Duration.ofSeconds(60);

  Rule {
    functions = List.copyOf(functions);
  }

  /** What is taken of each series (cantal.md 6.4). */
  sealed interface Extract {}

  /** The newest value. */
  record Tip() implements Extract {}

  /** The newest value less the oldest of so many before it. */
  record Diff(int points) implements Extract {}

  /** So many of the newest values. */
  record Newest(int points) implements Extract {}

  /** Values back to the first that is that much older than the newest. */
  record Back(Duration span) implements Extract {}

  /** What is done with all that was taken (cantal.md 6.6). */
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
