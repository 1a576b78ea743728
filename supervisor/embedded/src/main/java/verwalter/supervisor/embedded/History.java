package verwalter.supervisor.embedded;

import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/**
 * What earlier runs of a slot leave behind.
 *
 * @param starts how often it was started
 * @param earlyExits how many runs in a row ended too soon
 * @param reason why the last start or run went wrong; empty if it did not
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
