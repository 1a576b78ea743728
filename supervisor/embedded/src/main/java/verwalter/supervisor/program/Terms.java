package verwalter.supervisor.program;

import java.util.List;

/**
 * The settings of a run when it started; later changes of the configuration do not affect it.
 *
 * @param restartTimeout minimum number of seconds between two starts
 * @param killTimeout seconds from SIGTERM to SIGKILL
 * @param normalExitCodes exit codes that are not failures
 * @param zeroIsNormal whether code 0 is not a failure
 * @param stopDelay seconds from the moment when it is not wanted any more to SIGTERM
 * @param stopSignal the name of the signal that asks the program to end
 * @param stopsBefore names of processes that are stopped only after the program has ended, if both
 *     are stopped
 * @param cron the schedule of a command that runs by time; empty for other programs
 * @param limit seconds after which such a run is stopped; 0 for no limit
 */
public record Terms(
    int restartTimeout,
    int killTimeout,
    List<Integer> normalExitCodes,
    boolean zeroIsNormal,
    int stopDelay,
    String stopSignal,
    List<String> stopsBefore,
    String cron,
    long limit) {
  private static final int SIGTERM = 15;

  public Terms {
    normalExitCodes = List.copyOf(normalExitCodes);
    stopsBefore = List.copyOf(stopsBefore);
  }

  /** Terms of a program that SIGTERM asks to end, without a delay. */
  public Terms(
      int restartTimeout, int killTimeout, List<Integer> normalExitCodes, boolean zeroIsNormal) {
    this(restartTimeout, killTimeout, normalExitCodes, zeroIsNormal, 0);
  }

  /** Terms of a program that SIGTERM asks to end. */
  public Terms(
      int restartTimeout,
      int killTimeout,
      List<Integer> normalExitCodes,
      boolean zeroIsNormal,
      int stopDelay) {
    this(
        restartTimeout,
        killTimeout,
        normalExitCodes,
        zeroIsNormal,
        stopDelay,
        "SIGTERM",
        List.of());
  }

  /** Terms of a program that does not run by time. */
  public Terms(
      int restartTimeout,
      int killTimeout,
      List<Integer> normalExitCodes,
      boolean zeroIsNormal,
      int stopDelay,
      String stopSignal,
      List<String> stopsBefore) {
    this(
        restartTimeout,
        killTimeout,
        normalExitCodes,
        zeroIsNormal,
        stopDelay,
        stopSignal,
        stopsBefore,
        "",
        0);
  }

  /** Whether it is a run of a command that runs by time. */
  public boolean byTime() {
    return !cron.isEmpty();
  }

  /**
   * Whether an unrequested exit counts as a failure. SIGTERM never does, since operators use it to
   * end a process.
   *
   * @param status as reported by a shell: the exit code, or 128 plus the signal's number
   */
  public boolean isFailure(int status) {
    return status != 128 + SIGTERM
        && !normalExitCodes.contains(status)
        && !normalExitCodes.contains(status - 256)
        && !(zeroIsNormal && status == 0);
  }
}
