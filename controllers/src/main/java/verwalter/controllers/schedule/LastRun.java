package verwalter.controllers.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import verwalter.model.Scheduler;

/**
 * A run of the scheduler that need not be repeated while its input is the same but for the time:
 * never if the scheduler did not look at the time, for a while if it did or if it asked what nodes
 * have measured, which changes by itself.
 *
 * @param input without the time
 * @param until when the passing of time alone makes it worth repeating; absent for never
 */
record LastRun(Scheduler scheduler, Map<String, Object> input, Optional<Instant> until) {
  /**
   * Absent after a run that took up actions, since they are not in the next input.
   *
   * @param pause how long a run that depends on the time need not be repeated
   * @param still whether its input changes only by events, and not by what is measured
   */
  static Optional<LastRun> of(Scheduler scheduler, Outcome outcome, Duration pause, boolean still) {
    if (outcome.actionsTaken()) {
      return Optional.empty();
    }
    var situation = outcome.situation();
    boolean timeless = still && outcome.decision().filter(Scheduler.Decision::timeless).isPresent();
    return Optional.of(
        new LastRun(
            scheduler,
            situation.withoutTime(),
            timeless ? Optional.empty() : Optional.of(situation.now().plus(pause))));
  }

  boolean covers(Scheduler other, Situation situation) {
    return scheduler == other
        && until.map(situation.now()::isBefore).orElse(true)
        && input.equals(situation.withoutTime());
  }

  Optional<Duration> pause(Instant now) {
    return until.map(end -> now.isBefore(end) ? Duration.between(now, end) : Duration.ZERO);
  }
}
