package verwalter.controllers.config;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import verwalter.model.RoleConfig;

/**
 * What changed below the configuration directory.
 *
 * @param areas names of the changed entries directly below it, such as {@code runtime}, {@code
 *     scheduler} or {@code templates}
 * @param everything whether anything else may have changed: true at the start, after lost events,
 *     and when the directory itself was replaced
 * @param changingRoles roles whose files are still changing and should not be read yet
 * @param changingTemplates templates whose files are still changing and should not be read yet
 */
public record ConfigChange(
    Set<String> areas,
    boolean everything,
    Set<String> changingRoles,
    Set<String> changingTemplates) {
  static final String RUNTIME = RoleConfig.RUNTIME;
  static final String ROLES = RoleConfig.ROLES;
  static final String TEMPLATES = "templates";

  public ConfigChange {
    areas = Set.copyOf(areas);
    changingRoles = Set.copyOf(changingRoles);
    changingTemplates = Set.copyOf(changingTemplates);
  }

  /** A change after which no file is changing. */
  public ConfigChange(Set<String> areas, boolean everything) {
    this(areas, everything, Set.of(), Set.of());
  }

  /** A change of some parts while the files of others are still changing. */
  static ConfigChange of(Collection<ConfigPart> changed, Collection<ConfigPart> changing) {
    return new ConfigChange(
        changed.stream()
            .map(ConfigPart::area)
            .filter(area -> !area.isEmpty())
            .collect(Collectors.toSet()),
        changed.contains(ConfigPart.EVERYTHING),
        names(changing, Set.of(RUNTIME, ROLES)),
        names(changing, Set.of(TEMPLATES)));
  }

  private static Set<String> names(Collection<ConfigPart> parts, Set<String> areas) {
    return parts.stream()
        .filter(part -> areas.contains(part.area()) && !part.name().isEmpty())
        .map(ConfigPart::name)
        .collect(Collectors.toSet());
  }

  /** Whether this area must be read again. */
  public boolean touches(String area) {
    return everything || areas.contains(area);
  }
}
