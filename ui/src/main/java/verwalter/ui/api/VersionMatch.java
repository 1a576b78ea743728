package verwalter.ui.api;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.OptionalLong;
import verwalter.ui.http.RequestProblem;

/** Checks the parameter {@code resourceVersionMatch} with the rules of Kubernetes. */
final class VersionMatch {
  private static final String MATCH = "resourceVersionMatch";

  /**
   * Checks the parameters of a list.
   *
   * @throws RequestProblem 400 or 422 if they do not fit together
   */
  static void check(HttpServerRequest request, OptionalLong version) {
    var match = request.getParam(MATCH, "");
    boolean continues = !request.getParam("continue", "").isEmpty();
    if (continues && version.orElse(0) != 0) {
      throw RequestProblem.badRequest(
          "specifying resource version is not allowed when using continue");
    }
    if (request.getParam("sendInitialEvents") != null) {
      throw forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
    }
    if (match.isEmpty()) {
      return;
    }
    if (continues) {
      throw forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
    }
    if (version.isEmpty()) {
      throw forbidden(
          MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!List.of("Exact", "NotOlderThan").contains(match)) {
      throw RequestProblem.invalidOptions(
          MATCH,
          "Unsupported value: \"%s\": supported values: \"Exact\", \"NotOlderThan\""
              .formatted(match));
    }
    if (match.equals("Exact") && version.getAsLong() == 0) {
      throw forbidden(
          MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
  }

  /**
   * Checks the parameters of a watch.
   *
   * @throws RequestProblem 422 if they do not fit together
   */
  static void checkWatch(HttpServerRequest request) {
    var match = request.getParam(MATCH, "");
    boolean initial = request.getParam("sendInitialEvents") != null;
    if (initial && match.isEmpty()) {
      throw forbidden(
          MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (!initial && !match.isEmpty()) {
      throw forbidden(
          MATCH,
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (initial && !match.equals("NotOlderThan")) {
      throw RequestProblem.invalidOptions(
          MATCH, "Unsupported value: \"%s\": supported values: \"NotOlderThan\"".formatted(match));
    }
  }

  private static RequestProblem forbidden(String field, String why) {
    return RequestProblem.invalidOptions(field, "Forbidden: " + why);
  }

  private VersionMatch() {}
}
