package verwalter.cluster;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The present state of the cluster as this node sees it. Callers read it for each request.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>{@link #self} never changes.
 *   <li>{@link #leads} is true exactly if {@link #leader} has this node's id.
 *   <li>{@link #epoch} never decreases, and it is at least 1 while there is a leader.
 *   <li>No method blocks.
 * </ol>
 */
public interface ClusterView {
  /** This node. */
  Self self();

  /** The leader, if this node knows one. It is this node if it leads. */
  Optional<Member> leader();

  /**
   * Calls the listener on the loop after each change of {@link #leader}, until it is closed. A view
   * whose leader never changes calls no listener.
   */
  default Watch watchLeader(Loop loop, Runnable listener) {
    return () -> {};
  }

  /** The epoch of the present term; 1 or larger while there is a leader. */
  long epoch();

  /** Counters of scheduler and election, as shown by {@code /v1/status}. */
  default Map<String, Long> metrics() {
    return Map.of();
  }

  /**
   * The newest metrics of all nodes, as JSON for display: {@code nodes}, {@code processes}, {@code
   * endpoints}; and of this node {@code history} and {@code series}.
   */
  default Future<Map<String, Object>> measured() {
    return Future.succeededFuture(Map.of());
  }

  /** Whether this node was started as a leader without an election. */
  default boolean forced() {
    return false;
  }

  /** Whether this node is the leader. */
  default boolean leads() {
    return leader().filter(leader -> leader.id().equals(self().id())).isPresent();
  }

  /**
   * This node.
   *
   * @param id machine id, lower-case hex
   * @param version version of the software, without a leading {@code v}
   * @param defaultFrontend name of a directory below {@code frontend/}
   * @param addresses addresses of its HTTP API, {@code host:port}; requests may use their hosts in
   *     addition to name and hostname
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
   * @param address address of its HTTP API, {@code host:port}
   */
  record Member(String id, String name, String hostname, Optional<String> address) {}
}
