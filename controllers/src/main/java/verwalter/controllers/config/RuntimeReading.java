package verwalter.controllers.config;

import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/**
 * What the files below {@code runtime/} say.
 *
 * @param roles the entry of each role whose files could all be read
 * @param problems by role, what could not be read: file, line and why
 */
public record RuntimeReading(Map<String, Object> roles, Map<String, List<String>> problems) {
  public RuntimeReading {
    roles = Json.freeze(roles);
    problems = Json.freeze(problems);
  }
}
