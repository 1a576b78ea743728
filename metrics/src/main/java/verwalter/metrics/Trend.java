package verwalter.metrics;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The direction of a series. The medians of the newer and the older half of its values are
 * compared, so that outliers have no effect. The series is steady unless the difference is more
 * than a tenth of the larger median and more than twice the typical distance of a value from the
 * median of its half.
 */
enum Trend {
  GROWING,
  DECLINING,
  STEADY;

  /** The least number of values for a trend. */
  static final int LEAST = 4;

  private static final double PART = 0.1;
  private static final double SPREADS = 2;

  /** Computes the trend of values with the newest first; NaN is a missing value. */
  static Optional<Trend> of(double[] values) {
    var known = Arrays.stream(values).filter(Double::isFinite).toArray();
    if (known.length < LEAST) {
      return Optional.empty();
    }
    int half = known.length / 2;
    var newer = Arrays.copyOf(known, half);
    var older = Arrays.copyOfRange(known, known.length - half, known.length);
    double now = median(newer);
    double before = median(older);
    double band = PART * Math.max(Math.abs(now), Math.abs(before));
    double noise = SPREADS * Math.max(spread(newer, now), spread(older, before));
    double change = now - before;
    if (Math.abs(change) <= Math.max(band, noise)) {
      return Optional.of(STEADY);
    }
    return Optional.of(change > 0 ? GROWING : DECLINING);
  }

  /** The name for schedulers. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static double spread(double[] values, double median) {
    return median(Arrays.stream(values).map(value -> Math.abs(value - median)).toArray());
  }

  private static double median(double[] values) {
    var sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
