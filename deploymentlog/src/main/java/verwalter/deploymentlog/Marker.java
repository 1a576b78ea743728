package verwalter.deploymentlog;

import java.util.List;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * What an index line says has happened.
 *
 * @param recipe which recipe begins or ends, for the two markers that are about one
 */
record Marker(String name, Optional<String> recipe) {
  static final Marker DEPLOYMENT_START = new Marker("DeploymentStart", Optional.empty());
  static final Marker DEPLOYMENT_CHANGES = new Marker("DeploymentChanges", Optional.empty());
  static final Marker DEPLOYMENT_FINISH = new Marker("DeploymentFinish", Optional.empty());
  static final Marker DEPLOYMENT_ERROR = new Marker("DeploymentError", Optional.empty());
  static final Marker ROLE_START = new Marker("RoleStart", Optional.empty());
  static final Marker ROLE_FINISH = new Marker("RoleFinish", Optional.empty());
  static final Marker EXTERNAL_LOG = new Marker("ExternalLog", Optional.empty());

  static Marker actionStart(String recipe) {
    return new Marker("ActionStart", Optional.of(recipe));
  }

  static Marker actionFinish(String recipe) {
    return new Marker("ActionFinish", Optional.of(recipe));
  }

  /** As the index has it. */
  String json() {
    return recipe
        .map(
            its ->
                "{\"variant\":%s,\"fields\":%s}"
                    .formatted(Json.canonical(name), Json.canonical(List.of(its))))
        .orElseGet(() -> Json.canonical(name));
  }

  /** As the texts have it. */
  String shown() {
    return recipe.map(its -> name + "(" + Rows.quoted(its) + ")").orElse(name);
  }
}
