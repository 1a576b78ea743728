package verwalter.e2e.simulation;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The desired state of a role on each node.
 *
 * @param image where its archive comes from; empty if the nodes have the image already
 */
record Wanted(String version, int count, Optional<String> image) {
  /** A version whose image the nodes have. */
  Wanted(String version, int count) {
    this(version, count, Optional.empty());
  }

  /** The metadata of the version. */
  Map<String, Object> metadata() {
    var metadata = new TreeMap<String, Object>();
    metadata.put("count", (long) count);
    image.ifPresent(
        url -> metadata.put("image", Map.of("url", url, "sha256", SimulatedReleases.sha256(url))));
    return metadata;
  }
}
