package verwalter.controllers.deployment;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.controllers.deployment.ReleaseFiles.Wanted;
import verwalter.model.DeploymentRef;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/** Removes what a killed agent has left, before anything else uses the disk. Confined to a loop. */
final class DiskRecovery {
  private final ObjectStore store;
  private final ReleaseFiles files;
  private final String node;
  private @Nullable Future<Void> last;

  DiskRecovery(ObjectStore store, ReleaseFiles files, String node) {
    this.store = store;
    this.files = files;
    this.node = node;
  }

  /** Completes once it is done. If it has failed, a later call tries again. */
  Future<Void> done() {
    if (last == null || last.failed()) {
      last = files.recover(continued());
    }
    return last;
  }

  /** The downloads that refs continue. */
  private List<Wanted> continued() {
    return store.list(DeploymentRef.KIND, new Selection.Node(node)).stream()
        .filter(ref -> !ref.meta().deleting())
        .map(ref -> ReleaseWorks.wanted(ref.spec(), ref.status()))
        .toList();
  }
}
