package verwalter.controllers.process;

import java.time.Instant;
import verwalter.controllers.process.ProbeResult.Outcome;
import verwalter.model.Condition.Truth;
import verwalter.model.ProcessGroup.Readiness;
import verwalter.model.ProcessSpec.Probe;
import verwalter.model.ProcessSpec.Purpose;

/**
 * What is known from the attempts of a probe. The state changes after a number of equal results in
 * a row, so that a single one does not count. Pure.
 *
 * @param truth whether the probe succeeds; unknown until it was decided
 * @param reason why it does not succeed; empty if it does
 * @param since when {@code truth} last changed
 * @param decided whether {@code truth} was ever known for this process
 * @param last the result of the last attempts
 * @param inRow the number of the last attempts with that result
 */
record ProbeState(
    Truth truth, String reason, Instant since, boolean decided, Outcome last, int inRow) {
  /** Nothing is known of a new process. */
  static ProbeState fresh(Instant now) {
    return new ProbeState(Truth.UNKNOWN, "not probed yet", now, false, Outcome.UNKNOWN, 0);
  }

  /** The state that an earlier agent has reported of the same process. */
  static ProbeState of(Readiness before) {
    return new ProbeState(
        before.ready(),
        before.reason(),
        before.since(),
        before.ready() != Truth.UNKNOWN,
        Outcome.UNKNOWN,
        0);
  }

  /** The state after another attempt. */
  ProbeState after(ProbeResult result, Probe probe, Instant now) {
    int row =
        result.outcome() == last ? Math.min(inRow + 1, probe.failures() + probe.successes()) : 1;
    var next = truth(result.outcome());
    if (next == truth || row < needed(result.outcome(), probe)) {
      boolean first = truth == Truth.UNKNOWN && !result.reason().isEmpty();
      return new ProbeState(
          truth, first ? result.reason() : reason, since, decided, result.outcome(), row);
    }
    return new ProbeState(
        next, result.reason(), now, decided || next != Truth.UNKNOWN, result.outcome(), row);
  }

  private static Truth truth(Outcome outcome) {
    return switch (outcome) {
      case SUCCESS -> Truth.TRUE;
      case FAILURE -> Truth.FALSE;
      case UNKNOWN -> Truth.UNKNOWN;
    };
  }

  /** A process that was never ready is not ready after the first failure. */
  private int needed(Outcome outcome, Probe probe) {
    return switch (outcome) {
      case SUCCESS -> probe.successes();
      case FAILURE -> probe.purpose() == Purpose.READINESS && !decided ? 1 : probe.failures();
      case UNKNOWN -> probe.failures();
    };
  }

  /** The readiness of the process. */
  Readiness readiness() {
    return new Readiness(truth, reason, since);
  }
}
