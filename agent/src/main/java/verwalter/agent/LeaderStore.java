package verwalter.agent;

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
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The store of a leader. Each write is fenced by the epoch of its term, which stops a leader that
 * does not know about its successor. After the end of the term all writes are refused, which stops
 * a leader that was notified. Thread-safe.
 */
final class LeaderStore implements ObjectStore {
  private final ObjectStore real;
  private final long epoch;
  private volatile boolean over;

  LeaderStore(ObjectStore real, long epoch) {
    this.real = real;
    this.epoch = epoch;
  }

  /** Refuses all later writes. */
  void end() {
    over = true;
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
    return over || !fence.admits(epoch)
        ? Future.failedFuture(new StoreException.Fenced(fence.epoch().orElse(epoch), real.epoch()))
        : real.commit(writes, Fence.epoch(epoch));
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
    return epoch;
  }

  @Override
  public Set<Capability> capabilities() {
    return real.capabilities();
  }
}
