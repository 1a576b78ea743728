package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.Optional;

/**
 * What a slot is doing.
 *
 * <pre>
 *              launch           launched          pid known
 *   Waiting ----------> Starting ------> Started ----------> Running ---+
 *    ^  ^                  |                | ended             |       | not wanted any more
 *    |  |      failed      |                v                   v ended v
 *    |  +------------------+             Sweeping <---------- Stopping
 *    |        swept                         |
 *    +--------------------------------------+--------> Gone, if nothing is wanted
 * </pre>
 */
sealed interface Phase {
  /** The run whose processes may exist. */
  default Optional<Run> activeRun() {
    return Optional.empty();
  }

  /** Nothing runs; if something is wanted it is started then. */
  record Waiting(Instant at) implements Phase {}

  /** The launch of the run with that id is under way; what it will be is not known yet. */
  record Starting(String id, Instant since) implements Phase {}

  /** Launched; its program has not said its process id yet. */
  record Started(Run run) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** Its program runs. */
  record Running(Run run, ProcessId process) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** Its program was told to end. */
  record Stopping(Run run, ProcessId process, Instant deadline, boolean killed) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** Its program has ended; what else is left of its session is being killed. */
  record Sweeping(Run run, Instant next) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** Nothing runs and nothing is wanted: the slot can be forgotten. */
  record Gone() implements Phase {}
}
