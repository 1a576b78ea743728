package verwalter.ui.api;

import com.fasterxml.jackson.databind.JsonNode;
import verwalter.model.Resource;
import verwalter.ui.http.RequestProblem;

/** The {@code DeleteOptions} of a request. */
final class Deletion {

  /**
   * The object to remove: any version, unless the options have preconditions.
   *
   * @throws RequestProblem 409 if the object does not match the preconditions
   */
  static <S, T> Resource<S, T> of(Resource<S, T> current, JsonNode options) {
    var meta = current.meta();
    var uid = options.path("preconditions").path("uid").asText("");
    if (!uid.isEmpty() && !uid.equals(meta.uid())) {
      throw failed(current, "UID", uid, meta.uid());
    }
    var version = options.path("preconditions").path("resourceVersion").asText("");
    if (version.isEmpty()) {
      return current.withMeta(meta.withVersion(0));
    }
    if (!version.equals(Long.toString(meta.version()))) {
      throw failed(current, "ResourceVersion", version, Long.toString(meta.version()));
    }
    return current;
  }

  /** Whether the objects that it owns shall stay. */
  static boolean orphans(JsonNode options) {
    return options.path("propagationPolicy").asText("").equals("Orphan")
        || options.path("orphanDependents").asBoolean();
  }

  /** Whether it is a dry run. */
  static boolean isDry(JsonNode options) {
    return options.path("dryRun").path(0).asText("").equals("All");
  }

  private static RequestProblem failed(
      Resource<?, ?> current, String what, String wanted, String actual) {
    return RequestProblem.conflict(
        current.type(),
        current.name(),
        "Precondition failed: %s in precondition: %s, %s in object meta: %s"
            .formatted(what, wanted, what, actual));
  }

  private Deletion() {}
}
