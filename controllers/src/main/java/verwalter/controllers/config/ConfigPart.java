package verwalter.controllers.config;

import java.nio.file.Path;

/**
 * Files that are read together: a role below {@code runtime/} or {@code roles/}, a template below
 * {@code templates/}, or all files of another area.
 *
 * @param area an entry directly below the configuration directory, such as {@code runtime}; empty
 *     if anything may have changed
 * @param name the role or template; empty for the whole area
 */
record ConfigPart(String area, String name) {
  static final ConfigPart EVERYTHING = new ConfigPart("", "");

  static ConfigPart of(String area) {
    return new ConfigPart(area, "");
  }

  /** The part to which a path relative to the configuration directory belongs. */
  static ConfigPart at(Path path) {
    var area = path.getName(0).toString();
    if (path.getNameCount() == 1) {
      return of(area);
    }
    var name = path.getName(1).toString();
    return switch (area) {
      case ConfigChange.RUNTIME, ConfigChange.ROLES -> new ConfigPart(area, FileNames.key(name));
      case ConfigChange.TEMPLATES -> new ConfigPart(area, name);
      default -> of(area);
    };
  }
}
