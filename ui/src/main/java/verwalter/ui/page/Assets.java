package verwalter.ui.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import verwalter.ui.http.Answer;
import verwalter.ui.http.RequestDispatcher;

/**
 * The static files of the page. Each has its own route, so that no path is taken from a request.
 */
final class Assets {
  private static final Map<String, String> TYPES =
      Map.of(
          "page.css", "text/css; charset=utf-8",
          "page.js", "text/javascript; charset=utf-8",
          "icon.svg", "image/svg+xml");

  static void mount(Router router, RequestDispatcher dispatcher) {
    TYPES.forEach(
        (name, type) -> {
          var body = Buffer.buffer(text(name));
          var tag = tag(body);
          router
              .get("/ui/" + name)
              .handler(dispatcher.at("/ui/" + name, context -> send(context, type, tag, body)));
        });
  }

  private static void send(RoutingContext context, String type, String tag, Buffer body) {
    context.response().putHeader("ETag", tag).putHeader("Cache-Control", "no-cache");
    if (tag.equals(context.request().getHeader("If-None-Match"))) {
      context.response().setStatusCode(304).end();
    } else {
      Answer.send(context.request(), 200, type, body);
    }
  }

  /** A file of the page, from the class path. */
  static String text(String name) {
    try (var in = Assets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(Buffer body) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(body.getBytes());
      return "\"" + HexFormat.of().formatHex(digest, 0, 8) + "\"";
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Assets() {}
}
