package verwalter.metrics;

import java.util.Map;
import java.util.Optional;
import verwalter.model.ResourceKey;

/**
 * One running process of this node, and where it tells of itself.
 *
 * @param group the process group it belongs to
 * @param slot {@code sandbox/process.index}
 * @param restarts how often the slot was started again
 * @param labels of all its series but {@code restarts}, which has them without {@code pid}
 * @param endpoint where its own metrics are, if its version's metadata name them
 * @param problem why they cannot be asked for although the metadata name them; else empty
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
   * Where a process tells of itself. Always on this machine.
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
