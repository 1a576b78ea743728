package verwalter.cluster.mirror;

import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.LinkedHashSet;
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
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The store of a node of a cluster, made of two: objects of scope {@link Scope#CLUSTER} are in the
 * cluster store, objects of scope {@link Scope#NODE} in another one: the node's own store, or the
 * mirrors of all nodes while this node leads. Thread-safe.
 *
 * <p>Each store has its own revisions, so a transaction contains objects of one scope only, an
 * object and its owners are of the same scope, and {@link #revision(Kind)} depends on the kind.
 * Epochs and fences are those of the cluster store. A fence of a write to node objects is checked
 * against the cluster store when the write begins: a node object has one master, which no leader
 * fences.
 *
 * <p>When one of the stores is exchanged, the watches of its objects end with {@link
 * StoreException.TooOld}, since the revisions of the other store are different ones.
 */
public final class RoutedStore implements EpochStore {
  private final Set<Routed<?, ?>> watches = new LinkedHashSet<>();
  private volatile EpochStore cluster;
  private volatile ObjectStore node;

  /**
   * Creates a store.
   *
   * @param cluster the cluster store
   * @param node the store of the objects of scope NODE
   */
  public RoutedStore(EpochStore cluster, ObjectStore node) {
    this.cluster = cluster;
    this.node = node;
  }

  /** Exchanges the store of the objects of scope NODE. */
  public void become(ObjectStore next) {
    List<Routed<?, ?>> old;
    synchronized (watches) {
      if (node == next) {
        return;
      }
      node = next;
      old = taken(Scope.NODE);
    }
    old.forEach(Routed::end);
  }

  /** Exchanges the store of the objects of scope CLUSTER. */
  public void becomeCluster(EpochStore next) {
    List<Routed<?, ?>> old;
    synchronized (watches) {
      if (cluster == next) {
        return;
      }
      cluster = next;
      old = taken(Scope.CLUSTER);
    }
    old.forEach(Routed::end);
  }

  private List<Routed<?, ?>> taken(Scope scope) {
    var old = watches.stream().filter(each -> each.kind.scope() == scope).toList();
    watches.removeAll(old);
    return old;
  }

  private ObjectStore store(Kind<?, ?> kind) {
    return kind.scope() == Scope.CLUSTER ? cluster : node;
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return store(kind).get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return store(kind).list(kind, query);
  }

  /** Refuses a transaction with objects of both scopes. */
  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    var first = writes.stream().findFirst();
    if (first.isEmpty()) {
      return cluster.commit(writes, fence);
    }
    var scope = first.get().resource().type().scope();
    for (var write : writes) {
      if (write.resource().type().scope() != scope) {
        return Future.failedFuture(
            new StoreException.Invalid(
                write.resource().key(),
                "a transaction cannot contain objects of the cluster and of a node"));
      }
    }
    if (scope == Scope.CLUSTER) {
      return cluster.commit(writes, fence);
    }
    long epoch = cluster.epoch();
    return fence.admits(epoch)
        ? node.commit(writes)
        : Future.failedFuture(new StoreException.Fenced(fence.epoch().orElse(epoch), epoch));
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    synchronized (watches) {
      var routed = new Routed<>(kind, loop, watcher, after.orElse(0));
      routed.watch = store(kind).watch(kind, selection, after, loop, routed::changed);
      watches.add(routed);
      return routed;
    }
  }

  /**
   * The larger of both revisions; use {@link #revision(Kind)} to compare it with one of an object.
   */
  @Override
  public long revision() {
    return Math.max(cluster.revision(), node.revision());
  }

  @Override
  public long revision(Kind<?, ?> kind) {
    return store(kind).revision(kind);
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
    return EnumSet.noneOf(Capability.class);
  }

  /** A watch of objects. All but {@link #close} and {@link #end} belongs to the loop. */
  private final class Routed<S, T> implements Watch {
    private final Kind<S, T> kind;
    private final Loop loop;
    private final Consumer<Change<S, T>> watcher;
    private long position;
    private volatile boolean over;
    private Watch watch = () -> {};

    Routed(Kind<S, T> kind, Loop loop, Consumer<Change<S, T>> watcher, long position) {
      this.kind = kind;
      this.loop = loop;
      this.watcher = watcher;
      this.position = position;
    }

    private void changed(Change<S, T> change) {
      if (!over) {
        position = change.revision();
        if (change instanceof Change.Ended) {
          close();
        }
        watcher.accept(change);
      }
    }

    void end() {
      watch.close();
      loop.execute(
          () -> {
            if (!over) {
              over = true;
              watcher.accept(
                  new Change.Ended<>(
                      position, new StoreException.TooOld(position, store(kind).revision())));
            }
          });
    }

    @Override
    public void close() {
      over = true;
      watch.close();
      synchronized (watches) {
        watches.remove(this);
      }
    }
  }
}
