package verwalter.e2e.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import verwalter.controllers.template.Templates;
import verwalter.model.ProcessSpec;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;

/** Templates with one file for each role in a map. Rendering can be made to fail. */
final class FakeFiles implements Templates {
  final Map<String, String> files = new TreeMap<>();

  /** The roles and versions whose templates fail. */
  final Set<String> broken = new HashSet<>();

  /** The versions whose next files fail. */
  final Set<String> unprepared = new HashSet<>();

  /** The image that the files of each owner name. */
  final Map<String, String> images = new TreeMap<>();

  /** Where the present agent can be killed. */
  CrashPoints points = new CrashPoints();

  private final Map<String, Integer> applied = new HashMap<>();

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    var owner = wanted.owner();
    var role = wanted.role();
    var template = wanted.template();
    var variables = wanted.variables();
    if (broken.contains(role) || broken.contains(version(wanted))) {
      throw new Failed("templates/%s/a.j2:1: broken".formatted(template), true);
    }
    var image = image(role, variables);
    var content = version(wanted) + " " + variables.get("count") + note(variables);
    points.require("before the files of " + owner);
    images.put(owner, image);
    var digest = Json.hash(content);
    boolean changed = !content.equals(files.put(owner, content));
    applied.merge(owner, 1, Integer::sum);
    points.require("after the files of " + owner);
    var file = new TemplateOutput.File(owner, digest, "0644", content.length());
    var entry =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON,
            image,
            "/config/worker.yaml",
            ((Long) variables.get("count")).intValue(),
            environment(variables),
            List.of(),
            List.of());
    return Applied.of(
        digest,
        List.of(file),
        List.of(new TemplateOutput.ProcessFile(role, Map.of("worker", entry))),
        false,
        changed,
        List.of());
  }

  /** A text that is in the file only. */
  private static String note(Map<String, Object> variables) {
    return variables.get("note") instanceof String note ? " " + note : "";
  }

  /** A text that each process has in its environment. */
  private static Map<String, String> environment(Map<String, Object> variables) {
    return variables.get("setting") instanceof String setting
        ? Map.of("SETTING", setting)
        : Map.of();
  }

  private static String image(String role, Map<String, Object> variables) {
    return Json.object(variables.get("release")).get("image") instanceof String image
        ? image
        : role + "-" + variables.get("version");
  }

  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    if (broken.contains(wanted.role())
        || broken.contains(version(wanted))
        || unprepared.contains(version(wanted))) {
      throw new Failed("templates/%s/a.j2:1: broken".formatted(wanted.template()), true);
    }
  }

  private static String version(Wanted wanted) {
    return String.valueOf(wanted.variables().get("version"));
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> old) {
    points.require("before the removal of the files of " + owner);
    files.remove(owner);
    images.remove(owner);
    points.require("after the removal of the files of " + owner);
  }

  @Override
  public void move(String from, String to) {
    var kept = files.remove(from);
    if (kept != null) {
      files.putIfAbsent(to, kept);
      Optional.ofNullable(images.remove(from)).ifPresent(image -> images.put(to, image));
    }
  }
}
