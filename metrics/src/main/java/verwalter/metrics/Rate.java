package verwalter.metrics;

/**
 * How fast counters grow, by values with the newest first. A counter that drops has started anew
 * from nothing: what it shows then is what it has grown since. Missing values are stepped over.
 */
final class Rate {
  /** Growth per second over all that time; NaN with fewer than two values. */
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
   * Growth per second since the value before, one for each value but the oldest; NaN where either
   * is missing.
   */
  static double[] steps(double[] values, long[] times) {
    var steps = new double[Math.max(0, times.length - 1)];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = growth(values[i + 1], values[i]) * 1000 / (times[i] - times[i + 1]);
    }
    return steps;
  }

  /** The same of what also falls: a drop is one. */
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
