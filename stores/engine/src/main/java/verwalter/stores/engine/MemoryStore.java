package verwalter.stores.engine;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreFigures;
import verwalter.stores.api.Write;

/**
 * A store that keeps objects in memory only. Thread-safe. Writes take effect one after the other,
 * and their futures are complete when they are returned. It begins in epoch 0.
 */
public final class MemoryStore implements EpochStore {
  private final Engine engine;

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
    try {
      var options = new EngineOptions(limit, Long.MAX_VALUE / 4);
      this.engine = Engine.open(new NoLog(), options, Runnable::run, clock, uids);
    } catch (IOException impossible) { // there is nothing to read
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return engine.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return engine.list(kind, query);
  }

  @Override
  public synchronized Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return engine.commit(writes, fence);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return engine.watch(kind, selection, after, loop, watcher);
  }

  @Override
  public long revision() {
    return engine.revision();
  }

  @Override
  public long epoch() {
    return engine.epoch();
  }

  @Override
  public synchronized Future<Long> beginEpoch(long atLeast) {
    return engine.beginEpoch(atLeast);
  }

  @Override
  public Set<Capability> capabilities() {
    return engine.capabilities();
  }

  /** The contents of the store in numbers. */
  public StoreFigures figures() {
    return engine.figures();
  }
}
