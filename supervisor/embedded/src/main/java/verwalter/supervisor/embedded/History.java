package verwalter.supervisor.embedded;

import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/**
 * The history of a slot's runs.
 *
 * @param starts number of starts
 * @param earlyExits number of consecutive runs that ended too soon
 * @param reason why the last start or run failed; empty if it did not
 */
record History(long starts, int earlyExits, Optional<Exit> lastExit, String reason) {
  static final History NONE = new History(0, 0, Optional.empty(), "");

  long restarts() {
    return Math.max(0, starts - 1);
  }

  History started() {
    return new History(starts + 1, earlyExits, lastExit, reason);
  }
}
