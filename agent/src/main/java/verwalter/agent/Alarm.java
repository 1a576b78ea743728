package verwalter.agent;

import java.time.Duration;

/**
 * A watchdog: work that exceeds its limit only if something is permanently stuck, such as a disk.
 * The agent then exits with code 91, so that it can be restarted.
 *
 * <p>Each limit is well above the normal duration of the work. Programs and runs of the scheduler
 * have separate limits, which end them and not the agent.
 */
public enum Alarm {
  /** The search for the entries that make a scheduler fail may take 26 runs of 10 s each. */
  SCHEDULER(
      "scheduler",
      Duration.ofMinutes(6),
      "one decision: every run of the scheduler it takes, its record, and publishing the schedule"),
  SCHEDULER_LOAD(
      "scheduler load", Duration.ofMinutes(2), "reading and loading the files of the scheduler"),
  RUNTIME_LOAD("runtime load", Duration.ofMinutes(1), "reading the files below `runtime/`"),
  APPLY(
      "apply",
      Duration.ofMinutes(3),
      "rendering one role and switching its files, without its programs, which may take as long"
          + " each"),
  EVENT_LOOP(
      "event loop", Duration.ofMinutes(1), "whatever an event loop does before its next task");

  private final String title;
  private final Duration limit;
  private final String guarded;

  Alarm(String title, Duration limit, String guarded) {
    this.title = title;
    this.limit = limit;
    this.guarded = guarded;
  }

  /** Its name in the log. */
  public String title() {
    return title;
  }

  public Duration limit() {
    return limit;
  }

  /** A description of the guarded work. */
  public String guarded() {
    return guarded;
  }
}
