package verwalter.supervisor.embedded;

import java.time.Duration;

/**
 * How an embedded supervisor behaves.
 *
 * @param onExit what {@link EmbeddedSupervisor#shutdown} does with what runs
 * @param strict refuse what would only be warned about
 * @param term value of {@code TERM} for programs
 * @param logSize bytes beyond which a log file is rotated
 * @param logsKept rotated files kept of each
 * @param commands whether processes may bring a command of their own; else only images run
 * @param audit time between two checks that nothing was missed
 */
public record Settings(
    OnExit onExit,
    boolean strict,
    String term,
    long logSize,
    int logsKept,
    boolean commands,
    Duration audit) {

  /** What becomes of the processes when the supervisor is shut down. */
  public enum OnExit {
    /** They go on; the next supervisor adopts them. */
    DETACH,
    /** They are stopped. */
    STOP
  }

  /** Detach, warn, {@code dumb}, five logs of 10 MiB, images only, every 30 s. */
  public static Settings standard() {
    return new Settings(OnExit.DETACH, false, "dumb", 10 << 20, 5, false, Duration.ofSeconds(30));
  }

  public Settings onExit(OnExit onExit) {
    return new Settings(onExit, strict, term, logSize, logsKept, commands, audit);
  }

  /** The same, in which processes may bring a command of their own. */
  public Settings allowingCommands() {
    return new Settings(onExit, strict, term, logSize, logsKept, true, audit);
  }
}
