package verwalter.ui.v1;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.StrictJson;

/** The format of a response by the suffix of the path: none, pretty or gron. */
final class Formats {
  /** The suffix of a route with formats. */
  static final String SUFFIX = "(\\.[^/]*)?/?";

  static void send(HttpServerRequest request, JsonNode tree) {
    switch (suffix(request.path())) {
      case "pretty" -> Answer.send(request, 200, MediaTypes.JSON, StrictJson.pretty(tree));
      case "gron" -> Answer.send(request, 200, "text/x-gron", Buffer.buffer(Gron.text(tree)));
      default -> Answer.send(request, 200, MediaTypes.JSON, StrictJson.json(tree));
    }
  }

  /** Sends a JSON text unchanged, unless another format is requested. */
  static void send(HttpServerRequest request, Buffer text) {
    var suffix = suffix(request.path());
    if (suffix.equals("pretty") || suffix.equals("gron")) {
      send(request, StrictJson.parseOwn(text));
    } else {
      Answer.send(request, 200, MediaTypes.JSON, text);
    }
  }

  private static String suffix(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(dot + 1).replaceFirst("/$", "");
  }

  private Formats() {}
}
