package verwalter.controllers.template;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;
import verwalter.model.service.RenderedFile;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceReleases;
import verwalter.render.RenderFailed;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/**
 * The rendered files of the versions of a service that run on the node. Versions with the same
 * templates share a directory, so that a version with another number of processes restarts none.
 */
final class ServiceFiles {
  private static final int DIGITS = 12;

  /** What differs with each application: the files would change without a reason. */
  private static final List<String> TRANSIENT =
      List.of("timestamp", "deployment_id", Rendered.SCHEDULE);

  private final ServicePlace place;
  private final Renderer renderer;

  ServiceFiles(ServicePlace place, Renderer renderer) {
    this.place = place;
    this.renderer = renderer;
  }

  /** The directory of the files of each version that has some. */
  Map<String, Path> directories(Templates.Wanted wanted) {
    var directories = new TreeMap<String, Path>();
    for (var version : versions(wanted)) {
      var name =
          Json.hash(Json.object(wanted.variables().get(ScheduledServices.FILES)).get(version));
      directories.put(version, place.directory(wanted.role(), name.substring(0, DIGITS)));
    }
    return directories;
  }

  private static SortedSet<String> versions(Templates.Wanted wanted) {
    return new TreeSet<>(Json.object(wanted.variables().get(ScheduledServices.FILES)).keySet());
  }

  /**
   * The contents of the files, by directory and relative path.
   *
   * @throws Templates.Failed with the template, the line and the reason
   */
  Map<Path, Map<String, String>> render(Templates.Wanted wanted) throws Templates.Failed {
    var all = new LinkedHashMap<Path, Map<String, String>>();
    for (var version : directories(wanted).entrySet()) {
      all.put(version.getValue(), render(wanted, version.getKey(), version.getValue()));
    }
    return all;
  }

  private Map<String, String> render(Templates.Wanted wanted, String version, Path directory)
      throws Templates.Failed {
    var files = RenderedFile.of(wanted.variables(), version);
    var templates = new TreeMap<String, String>();
    files.forEach(file -> templates.put(file.template(), file.text()));
    try {
      var texts = renderer.render(templates, variables(wanted, version, directory));
      var contents = new TreeMap<String, String>();
      files.forEach(file -> contents.put(file.to(), texts.getOrDefault(file.template(), "")));
      return contents;
    } catch (RenderFailed failure) {
      throw new Templates.Failed(
          "roles/%s/%s (%s)".formatted(wanted.role(), failure.getMessage(), version), true);
    }
  }

  private static Map<String, Object> variables(
      Templates.Wanted wanted, String version, Path directory) {
    var variables = new LinkedHashMap<>(wanted.variables());
    ScheduledServices.RESERVED.forEach(variables::remove);
    TRANSIENT.forEach(variables::remove);
    variables.put("version", version);
    variables.put("files", directory.toString());
    ServiceReleases.path(wanted.variables(), version)
        .ifPresent(path -> variables.put("release", Map.of("path", path)));
    variables.put("processes", processes(wanted.variables(), version));
    return variables;
  }

  /** The processes of a version on this node, by the name that the file gives them. */
  private static Map<String, Object> processes(Map<String, Object> variables, String version) {
    var processes = new TreeMap<String, List<Object>>();
    for (var daemon : new TreeMap<>(Json.object(variables.get("daemons"))).entrySet()) {
      var its = Json.object(daemon.getValue());
      if (version.equals(its.get("version"))) {
        var ports = new TreeMap<String, Object>();
        Json.object(its.get("variables")).forEach((name, port) -> ports.put(name, number(port)));
        processes
            .computeIfAbsent(String.valueOf(its.get("daemon")), any -> new ArrayList<>())
            .add(
                Map.of(
                    "name",
                    daemon.getKey(),
                    "instances",
                    its.getOrDefault("instances", 0L),
                    "ports",
                    ports));
      }
    }
    return new TreeMap<>(processes);
  }

  private static Object number(Object port) {
    try {
      return Long.valueOf(String.valueOf(port));
    } catch (NumberFormatException text) {
      return port;
    }
  }

  /**
   * Writes files that differ, and lets the users of the processes reach them. Those of the last
   * application stay, since a process that is being stopped may still read them.
   */
  List<TemplateOutput.File> write(
      Templates.Wanted wanted, Map<Path, Map<String, String>> contents, Templates.Before before)
      throws Templates.Failed {
    var former = before.files().stream().filter(file -> place.isOurs(file.path())).toList();
    if (contents.isEmpty() && former.isEmpty()) {
      return List.of();
    }
    var kept = new HashSet<>(contents.keySet());
    if (!contents.isEmpty()) {
      former.forEach(file -> kept.add(Path.of(file.path())));
    }
    try {
      var files = new ArrayList<TemplateOutput.File>();
      for (var directory : contents.entrySet()) {
        files.addAll(place.write(directory.getKey(), directory.getValue()));
      }
      place.retain(wanted.role(), kept);
      return files;
    } catch (IOException failed) {
      throw new Templates.Failed("the files of the service cannot be written: " + failed, false);
    }
  }

  /** Removes all files of a service if these are some. */
  void remove(String role, List<TemplateOutput.File> files) throws Templates.Failed {
    try {
      if (files.stream().anyMatch(file -> place.isOurs(file.path()))) {
        place.retain(role, Set.of());
      }
    } catch (IOException failed) {
      throw new Templates.Failed("the files of the service cannot be removed: " + failed, false);
    }
  }

  /** Those of these files that are of no service. */
  List<TemplateOutput.File> others(List<TemplateOutput.File> files) {
    return files.stream().filter(file -> !place.isOurs(file.path())).toList();
  }
}
