package verwalter.cluster.sides;

import java.util.Map;
import java.util.Optional;
import verwalter.model.RoleConfig;

/** Finds the settings of a role that say what happens to it when nodes cannot be reached. */
final class RoleSetting {
  /** The file with settings of a role, without its extension. */
  private static final String FILE = "settings";

  /**
   * The value of a setting: in {@code runtime/ROLE/settings.yaml}, or beside the versions of the
   * role; empty if it is in neither.
   */
  static Optional<Object> find(RoleConfig.Spec role, String name) {
    return Optional.ofNullable(role.settings().get(name))
        .or(
            () ->
                role.settings().get(FILE) instanceof Map<?, ?> file
                    ? Optional.ofNullable(file.get(name))
                    : Optional.empty());
  }

  private RoleSetting() {}
}
