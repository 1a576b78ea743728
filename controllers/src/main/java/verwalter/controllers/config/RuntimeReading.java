package verwalter.controllers.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import verwalter.model.json.Json;
import verwalter.model.service.ServiceSource;

/**
 * The contents of the files that describe roles.
 *
 * @param roles the value of each role of {@code runtime/} whose files could all be read
 * @param problems for each role, what could not be read: file, line and reason
 * @param services the services of {@code roles/} whose files and templates could be read
 * @param files the roles that files of {@code roles/} name, readable or not
 * @param unknown why a directory could not be read, by its name; its roles stay as they are
 */
public record RuntimeReading(
    Map<String, Object> roles,
    Map<String, List<String>> problems,
    Map<String, ServiceSource> services,
    Set<String> files,
    Map<String, String> unknown) {
  public RuntimeReading {
    roles = Json.freeze(roles);
    problems = Json.freeze(problems);
    services = Json.freeze(services);
    files = Set.copyOf(files);
    unknown = Json.freeze(unknown);
  }

  /** A reading of {@code runtime/} only. */
  public RuntimeReading(Map<String, Object> roles, Map<String, List<String>> problems) {
    this(roles, problems, Map.of(), Set.of(), Map.of());
  }
}
