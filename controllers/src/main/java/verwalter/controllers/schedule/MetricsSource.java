package verwalter.controllers.schedule;

import java.util.Map;

/** Answers the rules of the schedule in force from what the nodes have measured. */
@FunctionalInterface
public interface MetricsSource {
  /**
   * What the scheduler sees as {@code metrics}: by machine id, then by rule (cantal.md 9.2). Empty
   * where there are no rules, so that nothing seems to change. Called on the loop of schedules.
   *
   * @param queryMetrics the schedule's {@code query_metrics}
   */
  Map<String, Object> metrics(Map<String, Object> queryMetrics);
}
