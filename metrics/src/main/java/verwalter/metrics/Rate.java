package verwalter.metrics;

/**
 * Computes the growth of counters from values with the newest first. A counter that decreases was
 * reset to zero, so its value is the growth since then. Missing values are skipped.
 */
final class Rate {
  /** Growth per second over the whole time; NaN with fewer than two values. */
  static double of(double[] values, long[] times) {
    double growth = 0;
    int newest = -1;
    int last = -1;
    for (int i = 0; i < times.length; i++) {
      if (Double.isNaN(values[i])) {
        continue;
      }
      if (last >= 0) {
        growth += growth(values[i], values[last]);
      } else {
        newest = i;
      }
      last = i;
    }
    return last == newest ? Double.NaN : growth * 1000 / (times[newest] - times[last]);
  }

  /**
   * Growth per second since the previous value, for each value but the oldest; NaN if either is
   * missing.
   */
  static double[] steps(double[] values, long[] times) {
    var steps = new double[Math.max(0, times.length - 1)];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = growth(values[i + 1], values[i]) * 1000 / (times[i] - times[i + 1]);
    }
    return steps;
  }

  /** Changes per second of a gauge, which may be negative. */
  static double[] changes(double[] values, long[] times) {
    var changes = new double[Math.max(0, times.length - 1)];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = (values[i] - values[i + 1]) * 1000 / (times[i] - times[i + 1]);
    }
    return changes;
  }

  private static double growth(double before, double after) {
    return after < before ? after : after - before;
  }

  private Rate() {}
}
