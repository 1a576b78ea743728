package verwalter.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How a series, or a sum of some, has moved lately.
 *
 * @param counter whether it is one, or all of the sum are
 * @param rate growth per second of a counter; NaN if unknown
 * @param recent what its trend is seen from, the newest first: of a counter its growth, else its
 *     values
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Movement(boolean counter, double rate, double[] recent) {
  private static final Movement NONE = new Movement(false, Double.NaN, new double[0]);

  /** That of a line over the newest {@code count} ticks; none if it is no longer seen. */
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

  /** Adds what is known to what schedulers see of a series. */
  void addTo(Map<String, Object> item) {
    if (counter && Double.isFinite(rate)) {
      item.put("rate", rate);
    }
    Trend.of(recent).ifPresent(trend -> item.put("trend", trend.word()));
  }
}
