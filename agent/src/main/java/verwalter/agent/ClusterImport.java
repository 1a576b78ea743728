package verwalter.agent;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Metadata;
import verwalter.model.Resource;
import verwalter.model.Scope;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * Moves the objects of the cluster from the store of a single node to the store of a cluster that
 * it founds. The objects get new uids and versions; the epoch is larger than that of the node's
 * store, so that versions which clients know do not return.
 */
final class ClusterImport {
  /**
   * Copies what is missing in {@code cluster}, object by object, and then removes it from {@code
   * node}. Repeating it after a crash completes it.
   */
  static Future<Void> run(ObjectStore node, EpochStore cluster) {
    if (objects(node).isEmpty()) {
      return Future.succeededFuture();
    }
    return epoch(node, cluster)
        .compose(begun -> each(copies(node, cluster), cluster))
        .compose(copied -> each(removals(node), node));
  }

  private static Future<?> epoch(ObjectStore node, EpochStore cluster) {
    return cluster.epoch() > node.epoch()
        ? Future.succeededFuture()
        : cluster.beginEpoch(node.epoch() + 1);
  }

  private static Future<Void> each(List<Write> writes, ObjectStore store) {
    var done = Future.<Void>succeededFuture();
    for (var write : writes) {
      done = done.compose(before -> store.commit(List.of(write)).mapEmpty());
    }
    return done;
  }

  private static List<Resource<?, ?>> objects(ObjectStore store) {
    var objects = new ArrayList<Resource<?, ?>>();
    for (var kind : Kinds.ALL) {
      if (kind.scope() == Scope.CLUSTER) {
        objects.addAll(store.list(kind));
      }
    }
    return objects;
  }

  private static List<Write> copies(ObjectStore from, ObjectStore to) {
    var writes = new ArrayList<Write>();
    for (var each : objects(from)) {
      if (!each.meta().deleting() && isMissing(each.type(), each.name(), to)) {
        writes.add(new Write.Put(created(each)));
      }
    }
    return writes;
  }

  private static <S, T> boolean isMissing(Kind<S, T> kind, String name, ObjectStore store) {
    return store.get(kind, name).isEmpty();
  }

  private static <S, T> Resource<S, T> created(Resource<S, T> object) {
    var meta = object.meta();
    return object.withMeta(
        Metadata.named(meta.name())
            .withLabels(meta.labels())
            .withAnnotations(meta.annotations())
            .withFinalizers(meta.finalizers()));
  }

  private static List<Write> removals(ObjectStore from) {
    var writes = new ArrayList<Write>();
    for (var each : objects(from)) {
      var bare = each.withMeta(each.meta().withFinalizers(List.of()));
      if (!each.meta().finalizers().isEmpty()) {
        writes.add(new Write.Put(bare));
      }
      if (!each.meta().deleting()) { // otherwise the last finalizer has removed it
        writes.add(new Write.Remove(bare.withMeta(bare.meta().withVersion(0))));
      }
    }
    return writes;
  }

  private ClusterImport() {}
}
