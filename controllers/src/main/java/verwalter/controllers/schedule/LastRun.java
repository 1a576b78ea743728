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
 * @param at when it was run
 * @param until when it must be repeated even with the same input; absent for never
 */
record LastRun(
    Scheduler scheduler, Map<String, Object> input, Instant at, Optional<Instant> until) {
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
            situation.now(),
            timeless ? Optional.empty() : Optional.of(situation.now().plus(pause))));
  }

  boolean covers(Scheduler other, Situation situation) {
    return scheduler == other
        && !isOver(situation.now())
        && input.equals(Situation.withoutTime(situation.input()));
  }

  Optional<Duration> pause(Instant now) {
    return until.map(end -> isOver(now) ? Duration.ZERO : Duration.between(now, end));
  }

  /** Whether it must be repeated. A clock that was set back must not prolong its validity. */
  private boolean isOver(Instant now) {
    return until.filter(end -> !now.isBefore(end) || now.isBefore(at)).isPresent();
  }
}
