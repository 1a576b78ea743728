package verwalter.model;

import java.util.Map;
import java.util.TreeMap;
import verwalter.model.json.Json;

/**
 * Hashes of a configuration directory. Directories with equal files have equal hashes.
 *
 * @param settings hash of the scheduler and of all roles, which a leader takes from its directory
 * @param parts hash of each part: {@link #SCHEDULER}, {@code runtime/ROLE}, {@code templates/NAME},
 *     {@code lithos/sandboxes} and so on; of a directory with many parts, one for each area
 */
public record ConfigHashes(String settings, Map<String, String> parts) {
  /** The part with the scheduler's files. */
  public static final String SCHEDULER = "scheduler";

  /** The prefix of the parts with the settings of roles. */
  public static final String RUNTIME = "runtime";

  /** The prefix of the parts with services. */
  public static final String ROLES = RoleConfig.ROLES;

  /** The prefix of the parts with templates. */
  public static final String TEMPLATES = "templates";

  /** The limit of the number of parts that are listed one by one. */
  public static final int MOST = 200;

  public ConfigHashes {
    parts = Json.freeze(parts);
  }

  /**
   * The hashes of a directory.
   *
   * @param each hash of each part, however many there are
   */
  public static ConfigHashes of(Map<String, String> each) {
    var all = new TreeMap<>(each);
    var settings = new TreeMap<>(all);
    settings.keySet().removeIf(part -> !isSettings(part));
    return new ConfigHashes(Json.hash(settings), all.size() <= MOST ? all : byArea(all));
  }

  /** Whether a part belongs to what a leader takes from its directory. */
  public static boolean isSettings(String part) {
    return part.equals(SCHEDULER) || area(part).equals(RUNTIME) || area(part).equals(ROLES);
  }

  private static Map<String, String> byArea(Map<String, String> each) {
    var areas = new TreeMap<String, Map<String, Object>>();
    each.forEach(
        (part, hash) -> areas.computeIfAbsent(area(part), any -> new TreeMap<>()).put(part, hash));
    var hashes = new TreeMap<String, String>();
    areas.forEach((area, parts) -> hashes.put(area, Json.hash(parts)));
    return hashes;
  }

  private static String area(String part) {
    int slash = part.indexOf('/');
    return slash < 0 ? part : part.substring(0, slash);
  }
}
