package verwalter.model.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.ScheduledVersions;
import verwalter.model.json.Json;

/**
 * The commands of services in the variables of a role on a node, under a name that is reserved: a
 * scheduler cannot choose a command. Pure.
 */
public final class ScheduledServices {
  /** The name of the variable: commands by version, and by name of the process. */
  public static final String VARIABLE = "verwalter.io/service";

  /**
   * A copy of the roles of a node with the commands of all versions that their daemons have. What
   * the scheduler returned under the reserved name is removed.
   *
   * @param data the data of the schedule
   */
  public static Map<String, Map<String, Object>> attached(
      Map<String, Object> data, Map<String, Map<String, Object>> roles) {
    boolean plain =
        !data.containsKey(ScheduledVersions.KEY)
            && roles.values().stream().noneMatch(its -> its.containsKey(VARIABLE));
    if (plain) {
      return roles;
    }
    var attached = new TreeMap<String, Map<String, Object>>(Json.BY_CODE_POINT);
    roles.forEach((role, variables) -> attached.put(role, attached(data, role, variables)));
    return attached;
  }

  /** The commands of all services in the data of a schedule, by role and version. */
  public static Map<String, Object> commands(Map<String, Object> data) {
    var commands = new TreeMap<String, Object>();
    Json.object(data.get(ScheduledVersions.KEY))
        .forEach(
            (role, versions) ->
                Json.object(versions)
                    .forEach(
                        (version, settings) -> {
                          var its = Json.object(settings).get("processes");
                          if (its != null) {
                            commands.put(role + "\0" + version, its);
                          }
                        }));
    return commands;
  }

  private static Map<String, Object> attached(
      Map<String, Object> data, String role, Map<String, Object> variables) {
    var commands = new TreeMap<String, Object>();
    for (var version : versions(variables)) {
      var its = ScheduledVersions.find(data, role, version).processes();
      if (!its.isEmpty()) {
        commands.put(version, its);
      }
    }
    if (commands.isEmpty() && !variables.containsKey(VARIABLE)) {
      return variables;
    }
    var with = new LinkedHashMap<>(variables);
    with.remove(VARIABLE);
    if (!commands.isEmpty()) {
      with.put(VARIABLE, commands);
    }
    return with;
  }

  private static Iterable<String> versions(Map<String, Object> variables) {
    var versions = new TreeSet<String>();
    Json.object(variables.get("daemons"))
        .values()
        .forEach(
            daemon ->
                Optional.ofNullable(Json.object(daemon).get("version"))
                    .map(String::valueOf)
                    .ifPresent(versions::add));
    return versions;
  }

  /** Whether these are the variables of a service. */
  public static boolean isService(Map<String, Object> variables) {
    return variables.containsKey(VARIABLE);
  }

  /** The command of a process in the variables of a service; empty if there is none. */
  public static Optional<ServiceCommand> command(
      Map<String, Object> variables, String version, String process) {
    var commands = Json.object(Json.object(variables.get(VARIABLE)).get(version));
    return Optional.ofNullable(commands.get(process)).flatMap(ServiceCommand::ofJson);
  }

  private ScheduledServices() {}
}
