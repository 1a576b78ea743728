package verwalter.supervisor.program;

import java.util.List;

/**
 * What was agreed for a run when it started; a later change of configuration does not change it.
 *
 * @param restartTimeout seconds between two starts, at least
 * @param killTimeout seconds from SIGTERM to SIGKILL
 * @param normalExitCodes that are no failure
 * @param zeroIsNormal whether code 0 is no failure either
 */
public record Terms(
    int restartTimeout, int killTimeout, List<Integer> normalExitCodes, boolean zeroIsNormal) {
  private static final int SIGTERM = 15;

  public Terms {
    normalExitCodes = List.copyOf(normalExitCodes);
  }

  /**
   * Whether an end that nobody asked for counts as a failure. SIGTERM never does: it is how
   * operators end a process.
   *
   * @param status as a shell has it: the exit code, or 128 and the signal's number
   */
  public boolean isFailure(int status) {
    return status != 128 + SIGTERM
        && !normalExitCodes.contains(status)
        && !normalExitCodes.contains(status - 256)
        && !(zeroIsNormal && status == 0);
  }
}
