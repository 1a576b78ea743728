package verwalter.stores.engine;

/**
 * How much of the past a store keeps, so that watchers can catch up and pages continue.
 *
 * @param changes how many changes of single objects, at most
 * @param bytes how many bytes they take in memory, at most; an estimate
 */
public record HistoryLimit(int changes, long bytes) {
  /** 10,000 changes or 64 MiB, whichever is less. */
  public static final HistoryLimit DEFAULT = new HistoryLimit(10_000, 64L << 20);

  public HistoryLimit {
    if (changes < 1 || bytes < 1) {
      throw new IllegalArgumentException("a history holds at least one change");
    }
  }
}
