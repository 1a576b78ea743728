package verwalter.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import verwalter.controllers.template.Templates;
import verwalter.model.ProcessSpec;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;

/** Templates that give one empty file, and one process for each desired one. */
final class NoFiles implements Templates {
  private final Map<String, String> files = new HashMap<>();

  @Override
  public Applied apply(Wanted wanted, Before before) {
    var content = Json.canonical(wanted.variables().get("count"));
    var digest = Json.hash(content);
    boolean changed = !content.equals(files.put(wanted.owner(), content));
    var entry =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON,
            wanted.role() + "-v1",
            "/config/worker.yaml",
            Integer.parseInt(content),
            Map.of(),
            List.of(),
            List.of());
    return Applied.of(
        digest,
        List.of(new TemplateOutput.File("/srv/" + wanted.role(), digest, "0644", 1)),
        List.of(new TemplateOutput.ProcessFile(wanted.role(), Map.of("worker", entry))),
        false,
        changed,
        List.of());
  }

  /** Never fails. */
  @Override
  public void prepare(Wanted wanted, Before before) {}

  @Override
  public void remove(String owner, List<TemplateOutput.File> old) {
    files.remove(owner);
  }
}
