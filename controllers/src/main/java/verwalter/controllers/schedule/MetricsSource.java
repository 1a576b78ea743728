package verwalter.controllers.schedule;

import java.util.Map;

/** Evaluates the metric rules of the schedule in force. */
@FunctionalInterface
public interface MetricsSource {
  /**
   * Returns the scheduler's input {@code metrics}: by machine id, then by rule. Empty without
   * rules, so that the input does not change. Called on the schedule controller's loop.
   *
   * @param queryMetrics the schedule's {@code query_metrics}
   */
  Map<String, Object> metrics(Map<String, Object> queryMetrics);
}
