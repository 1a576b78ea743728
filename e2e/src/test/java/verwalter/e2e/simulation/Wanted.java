package verwalter.e2e.simulation;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The desired state of a role on each node.
 *
 * @param image where its archive comes from; empty if the nodes have the image already
 * @param settings more entries of the metadata of its version, such as {@code start}
 */
record Wanted(String version, int count, Optional<String> image, Map<String, Object> settings) {
  /** The variables of the role, besides those that each role has. */
  static final String VARIABLES = "variables";

  Wanted {
    settings = Map.copyOf(settings);
  }

  /** A version whose image the nodes have. */
  Wanted(String version, int count) {
    this(version, count, Optional.empty());
  }

  /** A version without settings. */
  Wanted(String version, int count, Optional<String> image) {
    this(version, count, image, Map.of());
  }

  /** A copy with another number of processes. */
  Wanted times(int other) {
    return new Wanted(version, other, image, settings);
  }

  /** A copy with another entry of the metadata. */
  Wanted with(String entry, Object value) {
    var all = new TreeMap<>(settings);
    all.put(entry, value);
    return new Wanted(version, count, image, all);
  }

  /** The metadata of the version. */
  Map<String, Object> metadata() {
    var metadata = new TreeMap<>(settings);
    metadata.put("count", (long) count);
    image.ifPresent(
        url ->
            metadata.putIfAbsent(
                "image", Map.of("url", url, "sha256", SimulatedReleases.sha256(url))));
    return metadata;
  }
}
