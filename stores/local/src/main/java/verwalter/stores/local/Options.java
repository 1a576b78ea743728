package verwalter.stores.local;

/**
 * How a {@link LocalStore} uses its disk and its memory.
 *
 * @param history how much of the past it keeps
 * @param logBytes how long a log grows before the next one begins and a snapshot is written
 * @param objectBytes how much JSON all objects together may be; what would make them more is
 *     refused, while what makes them less is not
 */
public record Options(HistoryLimit history, long logBytes, long objectBytes) {
  /** The default history, logs of 64 MiB, and as much in objects. */
  public static final Options DEFAULT = new Options(HistoryLimit.DEFAULT, 64L << 20, 64L << 20);

  public Options {
    if (logBytes < 1 || objectBytes < 1) {
      throw new IllegalArgumentException("a store has room for at least one transaction");
    }
  }

  /**
   * Options with which objects and their past fit into a heap, several times as large as their JSON
   * though they are.
   *
   * @param heap in bytes
   */
  public static Options within(long heap) {
    var history = new HistoryLimit(HistoryLimit.DEFAULT.changes(), Math.max(1, heap / 16));
    return new Options(history, DEFAULT.logBytes, Math.max(1, heap / 8));
  }

  /** The same with another history. */
  public Options with(HistoryLimit other) {
    return new Options(other, logBytes, objectBytes);
  }

  /** The same with logs of another length. */
  public Options withLogBytes(long other) {
    return new Options(history, other, objectBytes);
  }

  /** The same with room for other objects. */
  public Options withObjectBytes(long other) {
    return new Options(history, logBytes, other);
  }
}
