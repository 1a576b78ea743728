package verwalter.controllers.config;

import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/**
 * The contents of the files below {@code runtime/}.
 *
 * @param roles the value of each role whose files could all be read
 * @param problems for each role, what could not be read: file, line and reason
 */
public record RuntimeReading(Map<String, Object> roles, Map<String, List<String>> problems) {
  public RuntimeReading {
    roles = Json.freeze(roles);
    problems = Json.freeze(problems);
  }
}
