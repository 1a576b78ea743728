package verwalter.agent;

import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.ClusterConfig;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;

/** Ends the connections of peers that were removed from the cluster. */
final class RevokedConnections {
  private static final Logger LOG = LoggerFactory.getLogger(RevokedConnections.class);

  /**
   * Ends connections until the watch is closed.
   *
   * @param store has the settings of the cluster, which contain the certificates that are refused
   * @param close ends the connections of peers that are not trusted now, and returns these peers;
   *     may block
   */
  static Watch start(Loop loop, ObjectStore store, Callable<Set<CertifiedName>> close) {
    return LastingWatch.of(
        store,
        ClusterConfig.KIND,
        loop,
        change ->
            loop.offload(close)
                .onSuccess(
                    closed ->
                        closed.forEach(
                            peer ->
                                LOG.info(
                                    "{} was removed; its connections are closed", peer.title()))));
  }

  private RevokedConnections() {}
}
