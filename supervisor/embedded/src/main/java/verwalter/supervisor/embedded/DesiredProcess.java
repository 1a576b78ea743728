package verwalter.supervisor.embedded;

import java.util.List;
import java.util.Optional;
import verwalter.supervisor.program.Terms;

/**
 * The desired process of a slot, from the process file.
 *
 * @param restartCounter a run with a smaller one is replaced
 * @param problems that prevent its start
 * @param terms of its runs, if it can be started
 */
record DesiredProcess(
    String identity,
    Optional<Long> restartCounter,
    String image,
    List<String> problems,
    List<String> warnings,
    Optional<Terms> terms) {
  /** Less than any counter. */
  private static final long NEVER = Long.MIN_VALUE;

  DesiredProcess {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
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
    return new DesiredProcess(identity, restartCounter, image, newProblems, warnings, terms);
  }

  /** Whether a run is of this process, and no restart was requested after its start. */
  boolean isRunBy(Run run) {
    return identity.equals(run.identity()) && !isAfter(run.restartCounter());
  }

  /** Whether a process with this counter is to be replaced. */
  boolean isAfter(Optional<Long> counter) {
    return restartCounter.orElse(NEVER) > counter.orElse(NEVER);
  }
}
