package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.ClusterSetup;

/** Bodies and parameters of many kinds, sent by an admin. */
@Timeout(60)
class BadRequestsTest {
  @TempDir private Path directory;

  private static final Map<String, byte[]> BODIES = bodies();

  private static Map<String, byte[]> bodies() {
    var bodies = new LinkedHashMap<String, byte[]>();
    for (var text :
        List.of(
            "{}",
            "{",
            "[]",
            "null",
            "1",
            "\"x\"",
            "{\"spec\":null}",
            "{\"spec\":[]}",
            "{\"spec\":{\"resourceAttributes\":[],\"nonResourceAttributes\":1}}",
            "{\"spec\":{\"resourceAttributes\":{\"verb\":1,\"resource\":{},\"name\":[]}}}",
            "{\"spec\":{\"nonResourceAttributes\":{\"path\":null,\"verb\":[]}}}",
            "{\"address\":1}",
            "{\"address\":null}",
            "{\"address\":\"\\u0000\"}",
            "{\"metadata\":[],\"spec\":{},\"apiVersion\":1,\"kind\":{}}",
            "[".repeat(20_000),
            "{\"a\":".repeat(5_000),
            "{\"a\":1e999999999}",
            "{\"a\":1,\"a\":2}",
            "x".repeat(100_000))) {
      bodies.put(text.substring(0, Math.min(60, text.length())), bytes(text));
    }
    bodies.put(
        "invalid UTF-8", new byte[] {'{', '"', (byte) 0xff, (byte) 0xc0, '"', ':', '1', '}'});
    bodies.put("no bytes", new byte[0]);
    return bodies;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Server server() {
    var access =
        new AccessPort(Optional.empty(), false, "root", false, entry -> {}, Optional.of(directory));
    var server = new Server(access);
    server
        .ui()
        .withCluster(
            new ClusterSetup() {
              @Override
              public Future<Optional<Description>> describe() {
                return Future.succeededFuture(Optional.empty());
              }

              @Override
              public void restart() {}

              @Override
              public Future<Founding> found(Optional<String> address) {
                return Future.failedFuture(new IOException("in a cluster already"));
              }

              @Override
              public Future<Recovery> recovery() {
                return Future.failedFuture(new IOException("in no cluster"));
              }

              @Override
              public Future<Recovery> recover() {
                return recovery();
              }
            });
    return server;
  }

  @Test
  void noBodyMakesARouteFail() {
    try (var server = server()) {
      var admin = server.admin();
      var failures = new ArrayList<String>();
      for (var route : server.ui().routes()) {
        var method = route.substring(0, route.indexOf(' '));
        var path =
            route
                .substring(route.indexOf(' ') + 1)
                .replace(":plural", "authoritychanges")
                .replaceAll(":\\w+|\\{\\w+}", "a");
        if (!List.of("ANY", "POST", "PUT", "PATCH").contains(method)
            || !(path.startsWith("/api") || List.of("/v1/cluster", "/v1/action").contains(path))) {
          continue;
        }
        for (var body : BODIES.entrySet()) {
          for (var type : List.of("application/json", "application/vnd.kubernetes.protobuf", "")) {
            var request = server.to(path).header("Authorization", admin);
            if (!type.isEmpty()) {
              request.header(
                  "Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : type);
            }
            request.method(
                method.equals("ANY") ? "POST" : method,
                BodyPublishers.ofByteArray(body.getValue()));
            int status = server.send(request.timeout(Duration.ofSeconds(10))).statusCode();
            if (status >= 500 && status != 501 && status != 503) {
              failures.add("%s %s %s: %d".formatted(method, path, body.getKey(), status));
            }
          }
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void noParameterMakesARouteFail() {
    try (var server = server()) {
      var admin = server.admin();
      var failures = new ArrayList<String>();
      for (var value :
          List.of(
              "",
              "%00",
              "-1",
              "9".repeat(40),
              "..%2f..%2fetc",
              "%ff",
              "a".repeat(3_000),
              "%F0%9F")) {
        for (var path :
            List.of(
                "/v1/audit/" + value,
                "/v1/audit?from=" + value,
                "/v1/cluster/" + value,
                "/v1/cluster?x=" + value,
                "/apis/verwalter.io/v1/accesstokens/" + value,
                "/apis/verwalter.io/v1/accesstokens?limit=" + value,
                "/apis/verwalter.io/v1/jointokens?continue=" + value,
                "/apis/verwalter.io/v1/authoritychanges?fieldSelector=" + value,
                "/apis/verwalter.io/v1/accessrules?labelSelector=" + value,
                "/apis/verwalter.io/v1/accessrules?resourceVersion=" + value)) {
          var answer =
              server.raw(
                  "GET %s HTTP/1.1\nHost: localhost\nAuthorization: %s\nConnection: close\n\n"
                      .formatted(path, admin));
          if (!answer.startsWith("HTTP/1.1 2") && !answer.startsWith("HTTP/1.1 4")) {
            failures.add(path + ": " + answer.lines().findFirst().orElse("no answer"));
          }
        }
      }
      assertThat(failures).isEmpty();
    }
  }
}
