package verwalter.supervisor.embedded;

import java.time.Duration;
import verwalter.files.FileAccess;

/**
 * The settings of an embedded supervisor.
 *
 * @param onExit how {@link EmbeddedSupervisor#shutdown} treats running processes
 * @param strict whether warnings are errors
 * @param term value of {@code TERM} for programs
 * @param logSize size in bytes at which a log file is rotated
 * @param logsKept number of rotated files that are kept of each
 * @param logAge for how long rotated files, and logs that no process writes to, are kept
 * @param commands whether processes may have a command; otherwise only images run
 * @param logs who may read the output of programs
 * @param audit interval between two checks for missed changes
 */
public record Settings(
    OnExit onExit,
    boolean strict,
    String term,
    long logSize,
    int logsKept,
    Duration logAge,
    boolean commands,
    FileAccess logs,
    Duration audit) {

  /** How a shutdown treats running processes. */
  public enum OnExit {
    /** They continue; the next supervisor adopts them. */
    DETACH,
    /** They are stopped. */
    STOP
  }

  /** Detach, warn, {@code dumb}, five private logs of 10 MiB for 30 days, images, every 30 s. */
  public static Settings standard() {
    return new Settings(
        OnExit.DETACH,
        false,
        "dumb",
        10 << 20,
        5,
        Duration.ofDays(30),
        false,
        FileAccess.PRIVATE,
        Duration.ofSeconds(30));
  }

  public Settings onExit(OnExit onExit) {
    return new Settings(onExit, strict, term, logSize, logsKept, logAge, commands, logs, audit);
  }

  /** The same settings with this access to the output of programs. */
  public Settings logs(FileAccess logs) {
    return new Settings(onExit, strict, term, logSize, logsKept, logAge, commands, logs, audit);
  }

  /**
   * The same settings with other limits of logs.
   *
   * @param size in bytes
   * @param kept number of rotated files of each
   */
  public Settings logLimits(long size, int kept, Duration age) {
    return new Settings(onExit, strict, term, size, kept, age, commands, logs, audit);
  }

  /** The same settings with processes that may have a command. */
  public Settings allowingCommands() {
    return new Settings(onExit, strict, term, logSize, logsKept, logAge, true, logs, audit);
  }
}
