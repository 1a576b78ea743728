package verwalter.metrics;

import java.util.Map;

/**
 * A value of a series.
 *
 * @param counter whether it is a counter, which increases and is reset to zero when its process
 *     restarts
 * @param value recorded only if it is finite
 */
record Sample(Labels labels, boolean counter, double value) {
  static Sample counter(String metric, double value) {
    return new Sample(Labels.of(Map.of(Labels.METRIC, metric)), true, value);
  }

  static Sample gauge(String metric, double value) {
    return new Sample(Labels.of(Map.of(Labels.METRIC, metric)), false, value);
  }
}
