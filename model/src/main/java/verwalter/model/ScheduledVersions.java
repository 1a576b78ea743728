package verwalter.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * The settings of the versions that a schedule mentions. They are part of its data, under a name
 * that is reserved, so that every node and every side of a split prepares what the decision meant.
 * A scheduler cannot choose them: they come from the metadata of the versions. Pure.
 */
public final class ScheduledVersions {
  /** The name in the data of a schedule. What a scheduler returns under it is replaced. */
  public static final String KEY = "verwalter.io/versions";

  private static final String ROLES = "roles";
  private static final String VERSION = "version";
  private static final String DAEMONS = "daemons";

  /**
   * A copy of the data with the settings of all versions that it mentions: values of the variable
   * {@code version} in any layer, and of its daemons, of which some may have another version during
   * an update.
   *
   * @param settings finds those of a role and version
   */
  public static Map<String, Object> attached(
      Map<String, Object> data, BiFunction<String, String, VersionSettings> settings) {
    var found = new TreeMap<String, Object>();
    mentioned(data)
        .forEach(
            (role, versions) -> {
              var all = new TreeMap<String, Object>();
              for (var version : versions) {
                var its = settings.apply(role, version);
                if (!its.areNone()) {
                  all.put(version, its.json());
                }
              }
              if (!all.isEmpty()) {
                found.put(role, all);
              }
            });
    if (found.isEmpty() && !data.containsKey(KEY)) {
      return data;
    }
    var attached = new LinkedHashMap<>(data);
    attached.remove(KEY);
    if (!found.isEmpty()) {
      attached.put(KEY, found);
    }
    return attached;
  }

  /** The settings of a version of a role in the data of a schedule. */
  public static VersionSettings find(Map<String, Object> data, String role, String version) {
    return VersionSettings.of(Json.object(Json.object(data.get(KEY)).get(role)).get(version));
  }

  /** The versions that the layers of a schedule mention, by role. */
  private static Map<String, Set<String>> mentioned(Map<String, Object> data) {
    var versions = new TreeMap<String, Set<String>>();
    var common = new TreeSet<String>();
    add(data.get("vars"), common);
    roles(data, versions);
    for (var node : Json.object(data.get("nodes")).values()) {
      add(Json.object(node).get("vars"), common);
      roles(Json.object(node), versions);
    }
    versions.values().forEach(its -> its.addAll(common));
    return versions;
  }

  private static void roles(Map<String, Object> layer, Map<String, Set<String>> versions) {
    Json.object(layer.get(ROLES))
        .forEach(
            (role, variables) -> {
              var its = versions.computeIfAbsent(role, any -> new TreeSet<>());
              add(variables, its);
              Json.object(Json.object(variables).get(DAEMONS))
                  .values()
                  .forEach(daemon -> add(daemon, its));
            });
  }

  private static void add(@Nullable Object layer, Set<String> versions) {
    if (Json.object(layer).get(VERSION) instanceof String version) {
      versions.add(version);
    }
  }

  private ScheduledVersions() {}
}
