package verwalter.metrics;

import java.util.Map;

/**
 * One value of one series.
 *
 * @param counter whether it is a counter: it only grows, and begins again at zero when its process
 *     restarts
 * @param value not recorded unless it is finite
 */
record Sample(Labels labels, boolean counter, double value) {
  static Sample counter(String metric, double value) {
    return new Sample(Labels.of(Map.of(Labels.METRIC, metric)), true, value);
  }

  static Sample gauge(String metric, double value) {
    return new Sample(Labels.of(Map.of(Labels.METRIC, metric)), false, value);
  }
}
