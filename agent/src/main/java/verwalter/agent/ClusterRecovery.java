package verwalter.agent;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Write;

/**
 * Makes one node the only one of its cluster after the majority of electors was lost for good. The
 * new epoch fences earlier leaders. All other nodes are removed, since they may know another
 * history: they join again.
 */
final class ClusterRecovery {
  /** Repeating it after a crash completes it. */
  static Future<Void> finish(EpochStore store, String self, InstantSource clock) {
    return store
        .beginEpoch(store.epoch() + 1)
        .compose(begun -> revoke(store, self, clock))
        .compose(revoked -> remove(store, self));
  }

  /** Refuses the certificates of the other nodes, and lets nothing hold back their removal. */
  private static Future<?> revoke(EpochStore store, String self, InstantSource clock) {
    var now = clock.instant();
    var others = others(store, self);
    if (others.isEmpty()) {
      return Future.succeededFuture();
    }
    var writes = new ArrayList<Write>();
    writes.add(
        MembershipController.revocation(
            store.get(ClusterConfig.KIND, ClusterConfig.NAME),
            others.stream().map(node -> MembershipController.removalOf(node, now)).toList(),
            now));
    for (var node : others) {
      if (!node.meta().finalizers().isEmpty()) {
        writes.add(new Write.Put(node.withMeta(node.meta().withFinalizers(List.of()))));
      }
    }
    return store.commit(writes);
  }

  private static Future<Void> remove(EpochStore store, String self) {
    var writes = others(store, self).stream().<Write>map(Write.Remove::new).toList();
    return writes.isEmpty() ? Future.succeededFuture() : store.commit(writes).mapEmpty();
  }

  private static List<Resource<Node.Spec, Node.Status>> others(EpochStore store, String self) {
    return store.list(Node.KIND).stream().filter(node -> !node.name().equals(self)).toList();
  }

  private ClusterRecovery() {}
}
