package verwalter.metrics;

import java.time.Duration;
import java.util.List;

/**
 * Series of a {@link SeriesHistory} at one time, newest value first. Must not be modified.
 *
 * @param times of the ticks, in milliseconds since 1970, the newest first
 * @param lines the series, in the order of their labels
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record SeriesView(long[] times, List<Line> lines) {
  SeriesView {
    lines = List.copyOf(lines);
  }

  /**
   * A series.
   *
   * @param values one for each time; NaN for missing values
   * @param age number of ticks since its last value; 0 for the newest tick
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Line(Labels labels, boolean counter, double[] values, int age) {}

  /**
   * The number of ticks back to the first one that is older than the newest by at least {@code
   * span}.
   */
  int within(Duration span) {
    int count = Math.min(1, times.length);
    while (count < times.length && times[0] - times[count - 1] < span.toMillis()) {
      count++;
    }
    return count;
  }
}
