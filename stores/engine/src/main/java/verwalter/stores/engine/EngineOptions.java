package verwalter.stores.engine;

/**
 * Limits of the memory of an {@link Engine}.
 *
 * @param history the limit of the history
 * @param bytes the limit of the estimated memory of objects and indexes. A write that exceeds it is
 *     refused, unless it reduces the memory
 */
public record EngineOptions(HistoryLimit history, long bytes) {
  public EngineOptions {
    if (bytes < 1) {
      throw new IllegalArgumentException("the memory limit of a store must be positive");
    }
  }
}
