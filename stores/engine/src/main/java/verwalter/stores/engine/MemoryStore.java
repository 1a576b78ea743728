package verwalter.stores.engine;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import verwalter.model.Resource;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.StoreFigures;
import verwalter.stores.api.Write;

/**
 * A store that keeps objects in memory only. Thread-safe. Writes take effect one after the other,
 * and their futures are complete when they are returned. It begins in epoch 0.
 */
public final class MemoryStore extends ForwardingEpochStore<Engine> {
  /**
   * Creates an empty store.
   *
   * @param clock gives the times of creation and deletion
   * @param uids supplies unique strings
   */
  public MemoryStore(InstantSource clock, Supplier<String> uids) {
    this(clock, uids, HistoryLimit.DEFAULT);
  }

  /** Creates an empty store with a limited history. */
  public MemoryStore(InstantSource clock, Supplier<String> uids, HistoryLimit limit) {
    super(engine(clock, uids, limit));
  }

  private static Engine engine(InstantSource clock, Supplier<String> uids, HistoryLimit limit) {
    try {
      var options = new EngineOptions(limit, Long.MAX_VALUE / 4);
      return Engine.open(new NoLog(), options, Runnable::run, clock, uids);
    } catch (IOException impossible) { // there is nothing to read
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public synchronized Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return real.commit(writes, fence);
  }

  @Override
  public synchronized Future<Long> beginEpoch(long atLeast) {
    return real.beginEpoch(atLeast);
  }

  /** The contents of the store in numbers. */
  public StoreFigures figures() {
    return real.figures();
  }
}
