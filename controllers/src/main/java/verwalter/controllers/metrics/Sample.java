package verwalter.controllers.metrics;

import java.util.Map;

/**
 * One value of one series.
 *
 * @param counter whether it only grows, until whoever counts starts anew
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
