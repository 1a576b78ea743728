package verwalter.stores.engine;

/**
 * How much an {@link Engine} keeps in memory.
 *
 * @param history how much of the past
 * @param bytes how much memory objects and indexes may take beside it; an estimate. What would make
 *     them more than that is refused, while what makes them less is not
 */
public record EngineOptions(HistoryLimit history, long bytes) {
  public EngineOptions {
    if (bytes < 1) {
      throw new IllegalArgumentException("a store has room for at least one object");
    }
  }
}
