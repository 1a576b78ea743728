package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Terms;

/**
 * The desired process of a slot, from the process file.
 *
 * @param restartCounter a run with a smaller one is replaced
 * @param problems that prevent its start
 * @param terms of its runs, if it can be started
 * @param cron when it runs; absent if it is kept running
 */
record DesiredProcess(
    String identity,
    Optional<Long> restartCounter,
    String image,
    List<String> problems,
    List<String> warnings,
    Optional<Terms> terms,
    Optional<ProcessSpec.Cron> cron) {
  /** Less than any counter. */
  private static final long NEVER = Long.MIN_VALUE;

  DesiredProcess {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  /** A process that is kept running. */
  DesiredProcess(
      String identity,
      Optional<Long> restartCounter,
      String image,
      List<String> problems,
      List<String> warnings,
      Optional<Terms> terms) {
    this(identity, restartCounter, image, problems, warnings, terms, Optional.empty());
  }

  /** A process whose terms are those of the run. */
  DesiredProcess(
      String identity,
      Optional<Long> restartCounter,
      String image,
      List<String> problems,
      List<String> warnings) {
    this(identity, restartCounter, image, problems, warnings, Optional.empty());
  }

  DesiredProcess with(List<String> newProblems) {
    return new DesiredProcess(identity, restartCounter, image, newProblems, warnings, terms, cron);
  }

  /**
   * The first time after this one; empty if it is kept running. Its times can be computed, or it
   * has a problem and does not run.
   */
  Optional<Instant> next(Instant after) {
    return problems.isEmpty() ? cron.flatMap(it -> it.times().next(after)) : Optional.empty();
  }

  /** Whether a run is of this process, and no restart was requested after its start. */
  boolean isRunBy(Run run) {
    // Another command is for the next time.
    return (cron.isPresent() && run.terms().byTime())
        || (identity.equals(run.identity()) && !isAfter(run.restartCounter()));
  }

  /** Whether a process with this counter is to be replaced. */
  boolean isAfter(Optional<Long> counter) {
    return restartCounter.orElse(NEVER) > counter.orElse(NEVER);
  }
}
