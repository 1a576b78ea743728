package verwalter.model.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.VersionImage;
import verwalter.model.json.Json;

/**
 * The releases of a service on a node in the input of its processes, by version: several versions
 * run side by side while one replaces the other. Pure.
 */
public final class ServiceReleases {
  /** The name of the variable, which is reserved. */
  public static final String VARIABLE = "verwalter.io/releases";

  private static final int DIGITS = 12;

  /**
   * A release that is complete on the disk.
   *
   * @param key its name on the disk of the node
   * @param path the directory with its files
   */
  public record Place(String key, String path) {}

  /**
   * The name of an image in the names of its releases. It does not depend on the revision, so that
   * a revision with the same image uses the same files.
   */
  public static String name(VersionImage image) {
    return "image-" + Json.hash(image.json()).substring(0, DIGITS);
  }

  /** The variables with these releases. */
  public static Map<String, Object> in(Map<String, Object> variables, Map<String, Place> releases) {
    if (releases.isEmpty()) {
      return variables;
    }
    var json = new TreeMap<String, Object>();
    releases.forEach(
        (version, place) -> json.put(version, Map.of("key", place.key(), "path", place.path())));
    var with = new LinkedHashMap<>(variables);
    with.put(VARIABLE, json);
    return Json.freeze(with);
  }

  /** The releases in variables, by version. */
  public static Map<String, Place> of(Map<String, Object> variables) {
    var releases = new TreeMap<String, Place>();
    Json.object(variables.get(VARIABLE))
        .forEach(
            (version, json) -> {
              var its = Json.object(json);
              if (its.get("key") instanceof String key && its.get("path") instanceof String path) {
                releases.put(version, new Place(key, path));
              }
            });
    return releases;
  }

  /** The directory of the release of a version; empty if the version has no image. */
  public static Optional<String> path(Map<String, Object> variables, String version) {
    return Optional.ofNullable(of(variables).get(version)).map(Place::path);
  }

  private ServiceReleases() {}
}
