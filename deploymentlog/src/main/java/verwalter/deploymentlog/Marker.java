package verwalter.deploymentlog;

import java.util.List;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * The event of an index line.
 *
 * @param recipe the recipe that begins or ends, for the two markers of recipes
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

  /** The form in the index. */
  String json() {
    return recipe
        .map(
            its ->
                "{\"variant\":%s,\"fields\":%s}"
                    .formatted(Json.canonical(name), Json.canonical(List.of(its))))
        .orElseGet(() -> Json.canonical(name));
  }

  /** The form in texts. */
  String shown() {
    return recipe.map(its -> name + "(" + Rows.quoted(its) + ")").orElse(name);
  }
}
