package verwalter.stores.api;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;

/**
 * A store that passes every call to another store. A subclass overrides what it changes.
 *
 * <p>The methods for a single write pass through {@link #commit}.
 *
 * @param <R> the type of the other store
 */
public abstract class ForwardingStore<R extends ObjectStore> implements ObjectStore {
  /** The store that receives the calls. */
  protected final R real;

  /** Passes calls to {@code real}. */
  protected ForwardingStore(R real) {
    this.real = real;
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return real.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return real.list(kind, query);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return real.commit(writes, fence);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return real.watch(kind, selection, after, loop, watcher);
  }

  @Override
  public long revision() {
    return real.revision();
  }

  @Override
  public long revision(Kind<?, ?> kind) {
    return real.revision(kind);
  }

  @Override
  public long epoch() {
    return real.epoch();
  }

  @Override
  public Set<Capability> capabilities() {
    return real.capabilities();
  }
}
