package verwalter.agent;

import java.time.Duration;

/**
 * Work that takes longer than its limit only if something is stuck for good, such as a disk. The
 * agent then ends with exit code 91, so that it can be started again.
 *
 * <p>Each limit is well above what the work may take when all is well: programs, and runs of the
 * scheduler, have limits of their own, which end them and not the agent.
 */
public enum Alarm {
  /** A search for what a scheduler fails with may take 26 runs of 10 s each. */
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

  /** What it is called in the log. */
  public String title() {
    return title;
  }

  public Duration limit() {
    return limit;
  }

  /** What it watches over, for people. */
  public String guarded() {
    return guarded;
  }
}
