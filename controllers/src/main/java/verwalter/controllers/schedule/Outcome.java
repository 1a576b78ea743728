package verwalter.controllers.schedule;

import java.time.Instant;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;

/** What one run of the scheduler came to: a decision or the reason why there is none. */
record Outcome(Optional<Scheduler.Decision> decision, String problem, String log) {

  /** Runs the scheduler; takes as long as its budget allows. */
  static Outcome of(Scheduler scheduler, Situation situation) {
    try {
      var decision = scheduler.decide(situation.input());
      return new Outcome(Optional.of(decision), "", decision.log());
    } catch (Scheduler.Failed failure) {
      return new Outcome(Optional.empty(), String.valueOf(failure.getMessage()), failure.log());
    }
  }

  boolean failed() {
    return decision.isEmpty();
  }

  /** The schedule in force after this run: the one before, unless another was decided. */
  Schedule.Spec next(Schedule.Spec before, String origin, Situation situation) {
    if (failed()) {
      return before;
    }
    var parents = situation.parents().stream().map(Schedule.Spec::hash).toList();
    var next = Schedule.Spec.of(decision.orElseThrow().data(), parents, origin, situation.now());
    return next.hash().equals(before.hash()) ? before : next;
  }

  Condition condition(String type, long generation, Instant now) {
    return failed()
        ? Condition.no(
            type, "SchedulerFailed", problem + " (the schedule before stays)", generation, now)
        : Condition.yes(type, "Decided", "", generation, now);
  }
}
