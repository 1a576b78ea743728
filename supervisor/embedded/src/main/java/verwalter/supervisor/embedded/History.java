package verwalter.supervisor.embedded;

import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/**
 * The history of a slot's runs.
 *
 * @param starts number of starts
 * @param replacements number of starts after a requested end
 * @param requested whether the last end was requested, and nothing was started since
 * @param earlyExits number of consecutive runs that ended too soon
 * @param reason why the last start or run failed; empty if it did not
 */
record History(
    long starts,
    long replacements,
    boolean requested,
    int earlyExits,
    Optional<Exit> lastExit,
    String reason) {
  static final History NONE = new History(0, 0, false, 0, Optional.empty(), "");

  /** The number of starts after an end that was not requested. */
  long restarts() {
    return Math.max(0, starts - 1 - replacements);
  }

  History started() {
    return new History(
        starts + 1, replacements + (requested ? 1 : 0), false, earlyExits, lastExit, reason);
  }

  /** Its program ended, or could not be started. */
  History ended(boolean byRequest, Restart restart, Optional<Exit> exit) {
    return new History(
        starts, replacements, byRequest, restart.earlyExits(), exit, restart.reason());
  }

  /**
   * Adds to what is said of the last exit.
   *
   * @param left what it left
   * @param output what it wrote, which is a part of the reason too
   */
  History leaving(String left, String output) {
    var exit =
        lastExit.map(
            it ->
                new Exit(
                    it.code(),
                    it.signal(),
                    it.at(),
                    it.failure(),
                    it.message().map(message -> message + left + output)));
    return new History(
        starts,
        replacements,
        requested,
        earlyExits,
        exit,
        reason.isEmpty() ? reason : reason + output);
  }

  /** Forgets early exits. */
  History calm() {
    return new History(starts, replacements, requested, 0, lastExit, "");
  }
}
