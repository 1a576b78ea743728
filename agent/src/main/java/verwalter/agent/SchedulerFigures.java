package verwalter.agent;

import java.util.Map;
import verwalter.controllers.schedule.DecisionLog;
import verwalter.model.DecisionRecord;

/**
 * Counts the runs of the scheduler since the start, under the names that verwalter 0.13 uses in
 * {@code /v1/status}.
 */
final class SchedulerFigures {
  private long succeeded;
  private long failed;
  private long millis;

  /** Counts each record and passes it on. */
  DecisionLog counting(DecisionLog log) {
    return record -> {
      count(record);
      log.add(record);
    };
  }

  private synchronized void count(DecisionRecord record) {
    if (record.output().isPresent()) {
      succeeded++;
    } else {
      failed++;
    }
    millis = record.took().toMillis();
  }

  /** The number of runs by result, and the time of the last one in milliseconds. */
  synchronized Map<String, Long> current() {
    return Map.of(
        "scheduling_time", millis, "scheduler_succeeded", succeeded, "scheduler_failed", failed);
  }
}
