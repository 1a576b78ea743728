package verwalter.ui.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** An error as a small HTML page, for all routes except the object API. */
public final class ErrorPage {

  public static void send(HttpServerRequest request, int code, String message) {
    var title = code + " " + HttpResponseStatus.valueOf(code).reasonPhrase();
    var page =
        "<!DOCTYPE html><html lang=\"en\"><head><title>%s</title></head><body><h1>%s</h1><p>%s</p><hr><p>Yours faithfully,<br>verwalter</p></body></html>"
            .formatted(title, title, Html.escape(message));
    Answer.send(request, code, "text/html; charset=utf-8", Buffer.buffer(page));
  }

  private ErrorPage() {}
}
