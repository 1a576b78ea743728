package verwalter.stores.cluster;

import io.vertx.core.Future;

/** The other electors, as the source of a snapshot for a process that was away for too long. */
@FunctionalInterface
public interface SnapshotSource {
  /**
   * Fetches the newest snapshot of another elector, which may be too old. Called on the loop of the
   * store. It is called again later if it fails or the snapshot is too old; then it should ask
   * another elector.
   */
  Future<PeerSnapshot> newest();
}
