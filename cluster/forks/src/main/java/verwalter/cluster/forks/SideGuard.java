package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Action;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.Scope;
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
 * The store for people. While it is that of a fork, writes to objects of the cluster are refused,
 * except actions: the others are not merged when the majority is back.
 */
final class SideGuard implements ObjectStore {
  private static final String WHY =
      "this side of the cluster has no majority; only actions are accepted until it is back";

  private final ObjectStore store;
  private final BooleanSupplier isFork;

  SideGuard(ObjectStore store, BooleanSupplier isFork) {
    this.store = store;
    this.isFork = isFork;
  }

  private static boolean isAllowed(Write write) {
    var kind = write.resource().type();
    return kind.scope() == Scope.NODE || kind.equals(Action.KIND);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return isFork.getAsBoolean() && !writes.stream().allMatch(SideGuard::isAllowed)
        ? Future.failedFuture(new StoreException.Unavailable(WHY))
        : store.commit(writes, fence);
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return store.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return store.list(kind, query);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return store.watch(kind, selection, after, loop, watcher);
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public long revision(Kind<?, ?> kind) {
    return store.revision(kind);
  }

  @Override
  public long epoch() {
    return store.epoch();
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }
}
