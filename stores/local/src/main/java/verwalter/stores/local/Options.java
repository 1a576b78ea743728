package verwalter.stores.local;

/**
 * How a {@link LocalStore} uses its disk and its memory.
 *
 * @param history how much of the past it keeps
 * @param logBytes how long a log grows before the next one begins and a snapshot is written
 */
public record Options(HistoryLimit history, long logBytes) {
  /** The default history, and logs of 64 MiB. */
  public static final Options DEFAULT = new Options(HistoryLimit.DEFAULT, 64L << 20);

  public Options {
    if (logBytes < 1) {
      throw new IllegalArgumentException("a log has room for at least one transaction");
    }
  }

  /** The same with another history. */
  public Options with(HistoryLimit other) {
    return new Options(other, logBytes);
  }

  /** The same with logs of another length. */
  public Options withLogBytes(long other) {
    return new Options(history, other);
  }
}
