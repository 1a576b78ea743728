package verwalter.metrics;

import java.util.Map;
import java.util.Optional;
import verwalter.model.ResourceKey;

/**
 * A running process of this node and its metrics endpoint.
 *
 * @param group the process group it belongs to
 * @param slot {@code sandbox/process.index}
 * @param restarts number of restarts of the slot
 * @param labels labels of all its series; the series {@code restarts} has no label {@code pid}
 * @param endpoint the metrics endpoint, if the metadata of its version define one
 * @param problem why the defined endpoint cannot be used; empty if it can
 */
record ScrapeTarget(
    ResourceKey group,
    String slot,
    String role,
    long pid,
    long restarts,
    Map<String, String> labels,
    Optional<Endpoint> endpoint,
    String problem) {
  ScrapeTarget {
    labels = Map.copyOf(labels);
  }

  /**
   * A metrics endpoint on this machine.
   *
   * @param path with a leading slash
   */
  record Endpoint(int port, String path) {
    @Override
    public String toString() {
      return "http://127.0.0.1:" + port + path;
    }
  }
}
