package verwalter.e2e.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    var version = String.valueOf(variables.get("version"));
    var content = version + " " + variables.get("count");
    var digest = Json.hash(content);
    boolean changed = !content.equals(files.put(owner, content));
    applied.merge(owner, 1, Integer::sum);
    var file = new TemplateOutput.File(owner, digest, "0644", content.length());
    var entry =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON,
            image(role, variables),
            "/config/worker.yaml",
            ((Long) variables.get("count")).intValue(),
            Map.of(),
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
    files.remove(owner);
  }

  @Override
  public void move(String from, String to) {
    var kept = files.remove(from);
    if (kept != null) {
      files.putIfAbsent(to, kept);
    }
  }
}
