package verwalter.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * The programs of one version of a role: an archive or a directory.
 *
 * @param source a path or a URL
 * @param digest what an archive must have: {@code sha256:} and 64 hexadecimal digits; if empty, a
 *     node uses the archive that it finds first
 */
public record VersionImage(String source, Optional<String> digest) {
  private static final String ALGORITHM = "sha256:";

  /**
   * The image in the metadata of a version: {@code image: {url: SOURCE, sha256: DIGITS}}. Empty if
   * there is none, or if {@code image} is something else, such as the name of an image.
   */
  public static Optional<VersionImage> ofVersion(@Nullable Object metadata) {
    var image = Json.object(Json.object(metadata).get("image"));
    if (!(image.get("url") instanceof String source)) {
      return Optional.empty();
    }
    return Optional.of(
        new VersionImage(
            source,
            Optional.ofNullable(image.get("sha256"))
                .map(String::valueOf)
                .map(digits -> digits.startsWith(ALGORITHM) ? digits : ALGORITHM + digits)));
  }

  /** The inverse of {@link #json}; empty if the value is no image. */
  public static Optional<VersionImage> of(@Nullable Object json) {
    var image = Json.object(json);
    return image.get("source") instanceof String source
        ? Optional.of(
            new VersionImage(source, Optional.ofNullable(image.get("digest")).map(String::valueOf)))
        : Optional.empty();
  }

  /** This image as a part of the data of a schedule. */
  public Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("source", source);
    digest.ifPresent(it -> json.put("digest", it));
    return json;
  }
}
