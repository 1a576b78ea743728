package verwalter.model.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * A file that a node renders for the processes of a revision. It comes from the administrator's
 * files, and a scheduler cannot change it.
 *
 * @param to the relative path of the file
 * @param template the name of the template
 * @param text the text of the template
 */
public record RenderedFile(String to, String template, String text) {
  /** The files of a version in the variables of a service. */
  public static List<RenderedFile> of(Map<String, Object> variables, String version) {
    var files = new ArrayList<RenderedFile>();
    var all = Json.object(variables.get(ScheduledServices.FILES)).get(version);
    if (all instanceof List<?> each) {
      each.forEach(it -> read(Json.object(it)).ifPresent(files::add));
    }
    return files;
  }

  private static Optional<RenderedFile> read(Map<String, Object> json) {
    return json.get("to") instanceof String to
            && json.get("template") instanceof String template
            && json.get("text") instanceof String text
        ? Optional.of(new RenderedFile(to, template, text))
        : Optional.empty();
  }
}
