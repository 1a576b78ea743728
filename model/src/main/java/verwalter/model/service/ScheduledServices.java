package verwalter.model.service;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.ProcessSpec;
import verwalter.model.ScheduledVersions;
import verwalter.model.VersionImage;
import verwalter.model.json.Json;

/**
 * The commands, images and files of services in the variables of a role on a node, under names that
 * are reserved: a scheduler cannot choose a command or a program. Pure.
 */
public final class ScheduledServices {
  /** The variable with the version whose commands run by time. */
  private static final String ACTIVE = "active_version";

  /** The variable with the names of the commands that run by time on a node. */
  private static final String CRON = "cron";

  /** Versions are {@code v1}, {@code v2} and so on. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

  /** The name of the variable: commands by version, and by name of the process. */
  public static final String VARIABLE = "verwalter.io/service";

  /** The name of the variable with the images by version. */
  public static final String IMAGES = "verwalter.io/images";

  /** The name of the variable with the files by version, as {@link RenderedFile} reads them. */
  public static final String FILES = "verwalter.io/files";

  /** The reserved names. */
  public static final List<String> RESERVED =
      List.of(VARIABLE, IMAGES, FILES, ServiceReleases.VARIABLE);

  /**
   * A copy of the roles of a node with the commands, images and files of all versions that their
   * daemons have. What the scheduler returned under the reserved names is removed.
   *
   * @param data the data of the schedule
   */
  public static Map<String, Map<String, Object>> attached(
      Map<String, Object> data, Map<String, Map<String, Object>> roles) {
    boolean plain =
        !data.containsKey(ScheduledVersions.KEY)
            && roles.values().stream()
                .noneMatch(its -> RESERVED.stream().anyMatch(its::containsKey));
    if (plain) {
      return roles;
    }
    var attached = new TreeMap<String, Map<String, Object>>(Json.BY_CODE_POINT);
    roles.forEach((role, variables) -> attached.put(role, attached(data, role, variables)));
    return attached;
  }

  /** The settings of all services in the data of a schedule, by role and version. */
  public static Map<String, Object> commands(Map<String, Object> data) {
    var commands = new TreeMap<String, Object>();
    Json.object(data.get(ScheduledVersions.KEY))
        .forEach(
            (role, versions) ->
                Json.object(versions)
                    .forEach(
                        (version, settings) -> {
                          if (Json.object(settings).containsKey("processes")) {
                            commands.put(role + "\0" + version, settings);
                          }
                        }));
    return commands;
  }

  private static Map<String, Object> attached(
      Map<String, Object> data, String role, Map<String, Object> variables) {
    var commands = new TreeMap<String, Object>();
    var images = new TreeMap<String, Object>();
    var files = new TreeMap<String, Object>();
    for (var version : versions(variables)) {
      var its = ScheduledVersions.find(data, role, version);
      if (!its.processes().isEmpty()) {
        commands.put(version, its.processes());
        its.image().ifPresent(image -> images.put(version, image.json()));
        if (!its.files().isEmpty()) {
          files.put(version, its.files());
        }
      }
    }
    if (commands.isEmpty() && RESERVED.stream().noneMatch(variables::containsKey)) {
      return variables;
    }
    var with = new LinkedHashMap<>(variables);
    RESERVED.forEach(with::remove);
    if (!commands.isEmpty()) {
      with.put(VARIABLE, commands);
    }
    if (!images.isEmpty()) {
      with.put(IMAGES, images);
    }
    if (!files.isEmpty()) {
      with.put(FILES, files);
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

  /** The images of the versions in the variables of a service. */
  public static Map<String, VersionImage> images(Map<String, Object> variables) {
    var images = new TreeMap<String, VersionImage>();
    Json.object(variables.get(IMAGES))
        .forEach(
            (version, image) -> VersionImage.of(image).ifPresent(its -> images.put(version, its)));
    return images;
  }

  /** The command of a process in the variables of a service; empty if there is none. */
  public static Optional<ServiceCommand> command(
      Map<String, Object> variables, String version, String process) {
    var commands = Json.object(Json.object(variables.get(VARIABLE)).get(version));
    return Optional.ofNullable(commands.get(process))
        .flatMap(ServiceCommand::ofJson)
        .filter(command -> command.kind() == ProcessSpec.Type.DAEMON);
  }

  /**
   * The commands of a service on a node that are kept for operators.
   *
   * @param version the version that they are of
   * @param commands the commands by name; only those that the scheduler has chosen for this node
   *     run by time
   */
  public record Tasks(String version, Map<String, ServiceCommand> commands) {
    public Tasks {
      commands = Json.freeze(commands);
    }
  }

  /**
   * The commands of the active version, or of the newest one on the node if no process here has
   * that.
   */
  public static Tasks tasks(Map<String, Object> variables) {
    var versions = Json.object(variables.get(VARIABLE));
    var active = String.valueOf(variables.get(ACTIVE));
    var newest = versions.keySet().stream().max(BY_NUMBER).orElse("");
    var version = versions.containsKey(active) ? active : newest;
    var chosen = variables.get(CRON) instanceof List<?> names ? names : List.of();
    var tasks = new TreeMap<String, ServiceCommand>();
    Json.object(versions.get(version))
        .forEach(
            (name, json) ->
                ServiceCommand.ofJson(json)
                    .filter(command -> command.kind() == ProcessSpec.Type.COMMAND)
                    .map(command -> chosen.contains(name) ? command : command.withoutTimes())
                    .ifPresent(command -> tasks.put(name, command)));
    return new Tasks(version, tasks);
  }

  private ScheduledServices() {}
}
