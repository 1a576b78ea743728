package verwalter.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster as this node sees it now. Callers ask anew for each request.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>{@link #self} never changes.
 *   <li>{@link #leads} is true exactly if {@link #leader} names this node's id.
 *   <li>{@link #epoch} never shrinks, and it is at least 1 while there is a leader.
 *   <li>No method blocks.
 * </ol>
 */
public interface ClusterView {
  /** This node. It does not change while the server runs. */
  Self self();

  /** The node whose schedule counts, if this node knows one; this node itself where it leads. */
  Optional<Member> leader();

  /** How many elections this node has seen; 1 for a node that is alone. */
  long epoch();

  /** Counters of scheduler and election, as {@code /v1/status} shows them. */
  default Map<String, Long> metrics() {
    return Map.of();
  }

  /**
   * The newest values that this node has measured, as JSON for people: {@code nodes}, {@code
   * processes}, {@code endpoints}, {@code history} and {@code series}.
   */
  default Map<String, Object> measured() {
    return Map.of();
  }

  /** Whether this node is the leader. */
  default boolean leads() {
    return leader().filter(leader -> leader.id().equals(self().id())).isPresent();
  }

  /**
   * This node.
   *
   * @param id machine id, lower-case hex
   * @param version of the software, without a leading {@code v}
   * @param defaultFrontend directory below {@code frontend/}
   * @param addresses where its HTTP API answers, {@code host:port}; their hosts may be named in
   *     requests, besides name and hostname
   */
  record Self(
      String name,
      String id,
      String hostname,
      String version,
      String defaultFrontend,
      Path configDirectory,
      List<String> addresses) {
    public Self {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * A node of the cluster.
   *
   * @param address where its HTTP API answers, {@code host:port}
   */
  record Member(String id, String name, String hostname, Optional<String> address) {}
}
