package verwalter.ui.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Writes complete responses. A client that disconnects is no error. */
public final class Answer {

  /** Sends a body; for HEAD, only the headers. */
  public static void send(HttpServerRequest request, int code, String contentType, Buffer body) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      request.connection().close();
      return;
    }
    response.setStatusCode(code).putHeader("Content-Type", contentType);
    if (!response.headers().contains("Cache-Control")) {
      response.putHeader("Cache-Control", "no-cache, private");
    }
    if (request.method().name().equals("HEAD")) {
      response.putHeader("Content-Length", Integer.toString(body.length())).end();
    } else {
      response.end(body);
    }
  }

  /** Sends a tree as JSON, indented if {@code ?pretty} is given. */
  public static void json(HttpServerRequest request, int code, JsonNode tree) {
    send(
        request,
        code,
        MediaTypes.JSON,
        wantsPretty(request.getParam("pretty")) ? StrictJson.pretty(tree) : StrictJson.json(tree));
  }

  public static void text(HttpServerRequest request, int code, String text) {
    send(request, code, "text/plain; charset=utf-8", Buffer.buffer(text));
  }

  /** Sends an error as a {@code Status} object. */
  public static void problem(HttpServerRequest request, RequestProblem problem) {
    if (problem.retries()) {
      request.response().putHeader("Retry-After", "1");
    }
    json(request, problem.code(), problem.status());
  }

  private static boolean wantsPretty(@Nullable String parameter) {
    return parameter != null && !parameter.equals("false") && !parameter.equals("0");
  }

  private Answer() {}
}
