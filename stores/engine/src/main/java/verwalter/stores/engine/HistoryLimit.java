package verwalter.stores.engine;

/**
 * The limit of a store's history, which watchers and pages need to continue.
 *
 * @param changes largest number of changes of single objects
 * @param bytes largest estimated memory of the changes in bytes
 */
public record HistoryLimit(int changes, long bytes) {
  /** 10,000 changes or 64 MiB, whichever is less. */
  public static final HistoryLimit DEFAULT = new HistoryLimit(10_000, 64L << 20);

  public HistoryLimit {
    if (changes < 1 || bytes < 1) {
      throw new IllegalArgumentException("the limit of a history must be at least one change");
    }
  }
}
