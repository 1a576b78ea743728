package verwalter.model.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/**
 * All that describes a service: its file, and the templates that the file names.
 *
 * @param templates the texts of the templates by name
 */
public record ServiceSource(ServiceFile file, Map<String, String> templates) {
  /** The limit of the texts of all templates of a service together, in characters. */
  public static final int MOST_TEXT = 1 << 16;

  public ServiceSource {
    templates = Json.sorted(templates);
  }

  /** A service without templates. */
  public ServiceSource(ServiceFile file) {
    this(file, Map.of());
  }

  /** The files that nodes render, with the texts of their templates. */
  List<Object> files() {
    var files = new ArrayList<Object>();
    for (var each : file.files()) {
      var json = new LinkedHashMap<String, Object>();
      json.put("to", each.to());
      json.put("template", each.template());
      json.put("text", templates.getOrDefault(each.template(), ""));
      files.add(json);
    }
    return files;
  }
}
