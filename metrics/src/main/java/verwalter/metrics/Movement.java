package verwalter.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The recent development of a series or a sum of series.
 *
 * @param counter whether the series, or all series of the sum, are counters
 * @param rate growth per second of a counter; NaN if unknown
 * @param recent the values for the trend, newest first: the growth of a counter, or the values of a
 *     gauge
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Movement(boolean counter, double rate, double[] recent) {
  private static final Movement NONE = new Movement(false, Double.NaN, new double[0]);

  /**
   * Computes the development of a line over the newest {@code count} ticks; none if the series has
   * ended.
   */
  static Movement of(SeriesView.Line line, boolean counter, long[] times, int count) {
    if (line.age() >= SeriesHistory.FRESH) {
      return new Movement(counter, Double.NaN, new double[0]);
    }
    var values = Arrays.copyOf(line.values(), count);
    var when = Arrays.copyOf(times, count);
    return counter
        ? new Movement(true, Rate.of(values, when), Rate.steps(values, when))
        : new Movement(false, Double.NaN, values);
  }

  static Movement sum(List<Movement> parts) {
    if (parts.isEmpty()) {
      return NONE;
    }
    return new Movement(
        parts.stream().allMatch(Movement::counter),
        Sums.of(parts.stream().mapToDouble(Movement::rate).toArray()),
        Sums.of(parts.stream().map(Movement::recent).toList()));
  }

  /** Adds the known values to the form for schedulers. */
  void addTo(Map<String, Object> item) {
    if (counter && Double.isFinite(rate)) {
      item.put("rate", rate);
    }
    Trend.of(recent).ifPresent(trend -> item.put("trend", trend.word()));
  }
}
