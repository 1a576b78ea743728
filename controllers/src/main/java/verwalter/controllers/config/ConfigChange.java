package verwalter.controllers.config;

import java.util.Set;
import java.util.TreeSet;

/**
 * What changed below the configuration directory.
 *
 * @param areas names of the changed entries directly below it, such as {@code runtime}, {@code
 *     scheduler} or {@code templates}
 * @param everything whether anything else may have changed: true at the start, after lost events,
 *     and when the directory itself was replaced
 */
public record ConfigChange(Set<String> areas, boolean everything) {
  static final ConfigChange NOTHING = new ConfigChange(Set.of(), false);
  static final ConfigChange EVERYTHING = new ConfigChange(Set.of(), true);

  public ConfigChange {
    areas = Set.copyOf(areas);
  }

  static ConfigChange of(String area) {
    return new ConfigChange(Set.of(area), false);
  }

  /** Whether this area must be read again. */
  public boolean touches(String area) {
    return everything || areas.contains(area);
  }

  boolean isNothing() {
    return areas.isEmpty() && !everything;
  }

  ConfigChange and(ConfigChange other) {
    var all = new TreeSet<>(areas);
    all.addAll(other.areas);
    return new ConfigChange(all, everything || other.everything);
  }
}
