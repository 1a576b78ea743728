package verwalter.metrics;

import java.time.Duration;
import java.util.List;

/**
 * Some series of a {@link SeriesHistory} as they were at one moment, newest value first. Nothing in
 * it may be changed.
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
   * One series.
   *
   * @param values one for each time; NaN where there is none
   * @param age how many ticks ago it was last seen; 0 for the newest
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Line(Labels labels, boolean counter, double[] values, int age) {}

  /**
   * How many ticks there are back to the first that is at least that much older than the newest.
   */
  int within(Duration span) {
    int count = Math.min(1, times.length);
    while (count < times.length && times[0] - times[count - 1] < span.toMillis()) {
      count++;
    }
    return count;
  }
}
