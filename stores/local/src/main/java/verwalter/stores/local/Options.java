package verwalter.stores.local;

import verwalter.stores.engine.HistoryLimit;

/**
 * How a {@link LocalStore} uses its disk and its memory.
 *
 * @param history how much of the past it keeps
 * @param logBytes how long a log grows before the next one begins and a snapshot is written
 * @param bytes how much memory objects and indexes may take beside it, as the store estimates it;
 *     what would make them more is refused, while what makes them less is not
 */
public record Options(HistoryLimit history, long logBytes, long bytes) {
  /** The default history, logs of 64 MiB, and 512 MiB of objects. */
  public static final Options DEFAULT = new Options(HistoryLimit.DEFAULT, 64L << 20, 512L << 20);

  public Options {
    if (logBytes < 1 || bytes < 1) {
      throw new IllegalArgumentException("a store has room for at least one transaction");
    }
  }

  /**
   * Options with which a store leaves half of a heap to the rest of the program.
   *
   * @param heap in bytes
   */
  public static Options within(long heap) {
    long past = Math.max(1, heap / 16);
    var history = new HistoryLimit(HistoryLimit.DEFAULT.changes(), past);
    return new Options(history, DEFAULT.logBytes, Math.max(1, heap / 2 - past));
  }

  /** The same with another history. */
  public Options with(HistoryLimit other) {
    return new Options(other, logBytes, bytes);
  }

  /** The same with logs of another length. */
  public Options withLogBytes(long other) {
    return new Options(history, other, bytes);
  }

  /** The same with room for other objects. */
  public Options withBytes(long other) {
    return new Options(history, logBytes, other);
  }
}
