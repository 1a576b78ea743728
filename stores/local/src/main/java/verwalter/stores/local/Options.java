package verwalter.stores.local;

import verwalter.stores.engine.HistoryLimit;

/**
 * How a {@link LocalStore} uses its disk and its memory.
 *
 * @param history the limit of the history
 * @param logBytes the length of a log at which the next one begins and a snapshot is written
 * @param bytes the limit of the estimated memory of objects and indexes. A write that exceeds it is
 *     refused, unless it reduces the memory
 */
public record Options(HistoryLimit history, long logBytes, long bytes) {
  /** The default history, logs of 64 MiB, and 512 MiB of objects. */
  public static final Options DEFAULT = new Options(HistoryLimit.DEFAULT, 64L << 20, 512L << 20);

  public Options {
    if (logBytes < 1 || bytes < 1) {
      throw new IllegalArgumentException("the limits of a store must be positive");
    }
  }

  /**
   * Options of a store that leaves half of the heap to the rest of the program.
   *
   * @param heap size of the heap in bytes
   */
  public static Options within(long heap) {
    long past = Math.max(1, heap / 16);
    var history = new HistoryLimit(HistoryLimit.DEFAULT.changes(), past);
    return new Options(history, DEFAULT.logBytes, Math.max(1, heap / 2 - past));
  }

  /** Returns a copy with another history limit. */
  public Options with(HistoryLimit other) {
    return new Options(other, logBytes, bytes);
  }

  /** Returns a copy with another length of logs. */
  public Options withLogBytes(long other) {
    return new Options(history, other, bytes);
  }

  /** Returns a copy with another memory limit. */
  public Options withBytes(long other) {
    return new Options(history, logBytes, other);
  }
}
