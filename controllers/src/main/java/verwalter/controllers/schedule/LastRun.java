package verwalter.controllers.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import verwalter.model.Scheduler;

/**
 * A run of the scheduler that need not be repeated while its input, apart from the time, stays the
 * same. It is valid without a time limit if the scheduler read neither the time nor metrics, and
 * for a limited time otherwise.
 *
 * @param input without the time
 * @param until when it must be repeated even with the same input; absent for never
 */
record LastRun(Scheduler scheduler, Map<String, Object> input, Optional<Instant> until) {
  /**
   * Remembers a run. Empty after a run that consumed actions, since the next input lacks them.
   *
   * @param pause how long a run that depends on the time is valid
   * @param still whether its input changes only by events, not by metrics
   */
  static Optional<LastRun> of(
      Scheduler scheduler, RunOutcome outcome, Duration pause, boolean still) {
    if (outcome.actionsTaken()) {
      return Optional.empty();
    }
    var situation = outcome.situation();
    boolean timeless = still && outcome.decision().filter(Scheduler.Decision::timeless).isPresent();
    return Optional.of(
        new LastRun(
            scheduler,
            Situation.withoutTime(outcome.input()),
            timeless ? Optional.empty() : Optional.of(situation.now().plus(pause))));
  }

  boolean covers(Scheduler other, Situation situation) {
    return scheduler == other
        && until.map(situation.now()::isBefore).orElse(true)
        && input.equals(Situation.withoutTime(situation.input()));
  }

  Optional<Duration> pause(Instant now) {
    return until.map(end -> now.isBefore(end) ? Duration.between(now, end) : Duration.ZERO);
  }
}
