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
 *    |  |                  |                |                   |   Leaving
 *    |  |                  |                |                   |       | after its delay
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

  /** Nothing runs; a desired process is started at that time. */
  record Waiting(Instant at) implements Phase {}

  /** The run with that id is being launched; its outcome is unknown. */
  record Starting(String id, Instant since) implements Phase {}

  /** Launched; its process id is not known yet. */
  record Started(Run run) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** The program is running. */
  record Running(Run run, ProcessId process) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /**
   * The program still runs, but proxies must not send it new requests: it is requested to end at
   * that time, unless it is wanted again. It may wait longer, until others have ended.
   *
   * @param latest when it does not wait for others any more; not before {@code until}
   */
  record Leaving(Run run, ProcessId process, Instant until, Instant latest) implements Phase {
    /** Whether it may wait for others. */
    boolean waits() {
      return latest.isAfter(until);
    }

    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /**
   * The program was requested to end.
   *
   * @param unhealthy why it is restarted as after a failure; absent if it is not wanted any more
   */
  record Stopping(
      Run run, ProcessId process, Instant deadline, boolean killed, Optional<String> unhealthy)
      implements Phase {
    Stopping(Run run, ProcessId process, Instant deadline, boolean killed) {
      this(run, process, deadline, killed, Optional.empty());
    }

    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** The program has ended; the rest of its session is being killed. */
  record Sweeping(Run run, Instant next) implements Phase {
    @Override
    public Optional<Run> activeRun() {
      return Optional.of(run);
    }
  }

  /** Nothing runs and nothing is desired: the slot can be removed. */
  record Gone() implements Phase {}
}
