package verwalter.e2e.simulation;

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
import verwalter.model.Scope;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/**
 * The store of an agent that is not alone: cluster objects lie in one store, the node's objects in
 * another. A transaction belongs to one of them.
 */
record ScopedStore(ObjectStore cluster, ObjectStore node) implements ObjectStore {
  private ObjectStore of(Kind<?, ?> kind) {
    return kind.scope() == Scope.CLUSTER ? cluster : node;
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return of(kind).get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return of(kind).list(kind, query);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    var scopes = writes.stream().map(write -> write.resource().type().scope()).distinct().toList();
    if (scopes.size() > 1) {
      return Future.failedFuture(new AssertionError("a transaction over two masters: " + writes));
    }
    return scopes.equals(List.of(Scope.NODE))
        ? node.commit(writes, Fence.NONE)
        : cluster.commit(writes, fence);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return of(kind).watch(kind, selection, after, loop, watcher);
  }

  @Override
  public long revision() {
    return cluster.revision();
  }

  @Override
  public long epoch() {
    return cluster.epoch();
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return cluster.beginEpoch(atLeast);
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }
}
