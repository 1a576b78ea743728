package verwalter.stores.logkit;

import java.io.IOException;
import verwalter.stores.engine.Log;

/** Where a log keeps its entries, such as a disk, and what can happen to it. */
public interface LogMedium {
  /** The log on the medium, not read yet; an earlier one is not used any more. */
  Log open() throws IOException;

  /** How many steps the medium has taken so far: writes, and whatever else can fail. */
  int steps();

  /** Lets the medium fail for good at the step with this number, halfway through it. */
  void failAt(int step);

  /** Lets the next write fail with nothing written, as a full disk does, and none after it. */
  void refuseNext();

  /**
   * Returns the medium after a crash. The seed decides whether entries that were not durable are
   * present, torn or absent.
   */
  LogMedium afterCrash(long seed);

  /** Writes the beginning of one more entry behind the last one, as a crash leaves it. */
  void tear();

  /**
   * Loses an entry that is neither the first nor the last of those behind the snapshot.
   *
   * @return false if it cannot, because there are too few
   */
  boolean loseOne();
}
