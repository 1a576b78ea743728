package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.RoleConfig;

/**
 * The roles of a configuration directory: those of {@code runtime/}, and the services of {@code
 * roles/}. One of the two directories is enough. A directory that is missing or cannot be read is
 * unknown, not empty: its roles stay.
 */
public final class ConfigDirectory implements ConfigReconciler.Runtime {
  private final RuntimeDirectory runtime;
  private final RolesDirectory roles;

  public ConfigDirectory(RuntimeDirectory runtime, RolesDirectory roles) {
    this.runtime = runtime;
    this.roles = roles;
  }

  /**
   * Reads all files. Blocks on disk I/O.
   *
   * @throws IOException if neither directory can be read
   */
  @Override
  public RuntimeReading read() throws IOException {
    var unknown = new TreeMap<String, String>();
    var services = new RolesDirectory.Reading(Map.of(), Map.of());
    try {
      services = roles.read();
    } catch (NoSuchFileException missing) {
      unknown.put(
          RoleConfig.ROLES,
          missing.getMessage()
              + " does not exist; if there are no services, make it an empty directory");
    } catch (IOException unreadable) {
      unknown.put(RoleConfig.ROLES, String.valueOf(unreadable.getMessage()));
    }
    try {
      return both(runtime.read(), services, unknown);
    } catch (IOException unreadable) {
      boolean neither = unknown.containsKey(RoleConfig.ROLES);
      unknown.put(RoleConfig.RUNTIME, String.valueOf(unreadable.getMessage()));
      if (neither) {
        throw new UnreadableConfig(unknown, unreadable);
      }
      return both(new RuntimeReading(Map.of(), Map.of()), services, unknown);
    }
  }

  private static RuntimeReading both(
      RuntimeReading ofRuntime, RolesDirectory.Reading ofRoles, Map<String, String> unknown) {
    var problems = new HashMap<>(ofRuntime.problems());
    problems.putAll(ofRoles.problems());
    var services = new HashMap<>(ofRoles.services());
    for (var name : ofRoles.services().keySet()) {
      if (ofRuntime.roles().containsKey(name) || ofRuntime.problems().containsKey(name)) {
        problems.put(
            name, List.of("roles/%1$s.yaml and runtime/%1$s both describe it".formatted(name)));
        services.remove(name);
      }
    }
    var files = new HashSet<>(ofRoles.services().keySet());
    files.addAll(ofRoles.problems().keySet());
    return new RuntimeReading(ofRuntime.roles(), problems, services, files, unknown);
  }
}
