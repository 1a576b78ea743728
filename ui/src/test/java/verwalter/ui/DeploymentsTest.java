package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.ui.port.DeploymentHistory;

final class DeploymentsTest {
  @TempDir private Path root;
  private final AtomicInteger forced = new AtomicInteger();
  private Server server;

  @BeforeEach
  void start() throws IOException {
    var logs = root.resolve("log");
    Files.createDirectories(logs.resolve(".index"));
    Files.createDirectories(logs.resolve("web"));
    Files.createDirectories(root.resolve("backups"));
    Files.createDirectories(root.resolve("nginx"));
    Files.writeString(logs.resolve(".index/index.20180810.json"), "[1]\n[2]\n");
    Files.createSymbolicLink(logs.resolve(".index/latest"), Path.of("index.20180810.json"));
    Files.writeString(logs.resolve("web/log.1.txt"), "0123456789");
    Files.createFile(logs.resolve("web/empty"));
    Files.writeString(root.resolve("secret"), "secret");
    Files.createSymbolicLink(logs.resolve("web/out"), root.resolve("secret"));
    Files.createSymbolicLink(logs.resolve("outside"), root);
    Files.writeString(root.resolve("backups/daily-20180810.json.gz"), "packed");
    Files.writeString(root.resolve("backups/schedule.json"), "{}");
    Files.writeString(root.resolve("nginx/error.log"), "oh");
    server = new Server(new Here());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private final class Here implements DeploymentHistory {
    @Override
    public Path logs() {
      return root.resolve("log");
    }

    @Override
    public Path backups() {
      return root.resolve("backups");
    }

    @Override
    public Optional<Path> external(String name) {
      return name.equals("nginx") ? Optional.of(root.resolve("nginx")) : Optional.empty();
    }

    @Override
    public void renderAll() {
      forced.incrementAndGet();
    }
  }

  @Test
  void servesLogsThroughLinks() {
    var index = server.get("/v1/log/index/latest");
    assertThat(index.statusCode()).isEqualTo(200);
    assertThat(index.body()).isEqualTo("[1]\n[2]\n");
    assertThat(index.headers().firstValue("Accept-Ranges")).contains("bytes");
    assertThat(server.get("/v1/log/role/web/log.1.txt").body()).isEqualTo("0123456789");
    assertThat(server.get("/v1/log/role/.index/latest").statusCode()).isEqualTo(200);
    assertThat(server.get("/v1/log/external/nginx/error.log").body()).isEqualTo("oh");
    assertThat(server.get("/v1/log/external/apache/error.log").statusCode()).isEqualTo(403);
  }

  @Test
  void servesTailAsRange() {
    var tail =
        server.get("/v1/log/role/web/log.1.txt", "Range", "bytes=-3", "Accept-Encoding", "gzip");
    assertThat(tail.statusCode()).isEqualTo(206);
    assertThat(tail.body()).isEqualTo("789");
    assertThat(tail.headers().firstValue("Content-Range")).contains("bytes 7-9/10");
    assertThat(server.get("/v1/log/role/web/log.1.txt", "Range", "bytes=2-3").body())
        .isEqualTo("23");
    var behind = server.get("/v1/log/role/web/log.1.txt", "Range", "bytes=10-");
    assertThat(behind.statusCode()).isEqualTo(416);
    assertThat(behind.headers().firstValue("Content-Range")).contains("bytes */10");
    var twice = server.get("/v1/log/role/web/log.1.txt", "Range", "bytes=1-", "Range", "bytes=1-");
    assertThat(twice.statusCode()).isEqualTo(416);
    var empty = server.get("/v1/log/role/web/empty", "Range", "bytes=-5");
    assertThat(empty.statusCode()).isEqualTo(206);
    assertThat(empty.headers().firstValue("Content-Range")).contains("bytes */0");
  }

  @Test
  void answersNotModifiedForKnownTag() {
    var path = "/v1/log/role/web/log.1.txt";
    var headers = server.get(path).headers();
    var tag = headers.firstValue("ETag").orElseThrow();
    var date = headers.firstValue("Last-Modified").orElseThrow();
    assertThat(server.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(server.get(path, "If-None-Match", "\"x\"").statusCode()).isEqualTo(200);
    assertThat(server.get(path, "If-Modified-Since", date).statusCode()).isEqualTo(304);
    assertThat(server.get(path, "If-Modified-Since", "Thu, 01 Jan 1998 00:00:00 GMT").statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index/",
        "index/none",
        "index/../web/log.1.txt",
        "role/web",
        "role/web/..",
        "role/web/",
        "role//web/log.1.txt",
        "role/web/./log.1.txt",
        "role/web/out",
        "role/outside/secret",
        "role/../secret",
        "role/web/%2e%2e/%2e%2e/secret",
        "role/web//log.1.txt",
        "external/nginx",
        "external/nginx/../secret",
        "nothing/x",
        "role/web/log.1.txt/x",
      })
  void servesNoOtherFiles(String path) {
    assertThat(
            server.raw("GET /v1/log/" + path + " HTTP/1.1\nHost: localhost\nConnection: close\n\n"))
        .startsWith("HTTP/1.1 404 ")
        .doesNotContain("secret\n");
  }

  @Test
  void headHasNoBodyAndOtherMethodsAreRefused() {
    var head =
        server.raw("HEAD /v1/log/index/latest HTTP/1.1\nHost: localhost\nConnection: close\n\n");
    assertThat(head.toLowerCase(java.util.Locale.ROOT))
        .contains("content-length: 8\r\n")
        .endsWith("\r\n\r\n");
    var posted = server.send("POST", "/v1/log/index/latest", "application/json", "{}");
    assertThat(posted.statusCode()).isEqualTo(405);
  }

  @Test
  void listsBackupsAndServesThemCompressed() {
    assertThat(server.get("/v1/backups").body()).isEqualTo("[\"daily-20180810\"]");
    var backup = server.get("/v1/backup/daily-20180810");
    assertThat(backup.body()).isEqualTo("packed");
    assertThat(backup.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(backup.headers().firstValue("Content-Type")).contains("application/json");
    for (var name : new String[] {"none", "daily-20180810.json.gz", "..", "schedule"}) {
      assertThat(server.get("/v1/backup/" + name).statusCode()).as(name).isEqualTo(404);
    }
  }

  @Test
  void rendersAllOnlyForRequestsOfSameSite() {
    assertThat(server.get("/v1/force_render_all").body()).isEqualTo("\"ok\"");
    var posted =
        server.send(
            server
                .to("/v1/force_render_all")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody()));
    assertThat(posted.statusCode()).isEqualTo(200);
    for (var site : new String[] {"cross-site", "same-site", "new"}) {
      assertThat(server.get("/v1/force_render_all", "Sec-Fetch-Site", site).statusCode())
          .as(site)
          .isEqualTo(403);
    }
    var others = new String[] {"http://evil.example/", "http://127.0.0.1:1/", "http://127.0.0.1"};
    for (var page : others) {
      assertThat(server.get("/v1/force_render_all", "Referer", page).statusCode())
          .as(page)
          .isEqualTo(403);
    }
    assertThat(forced).hasValue(2);
    for (var site : new String[] {"same-origin", "none"}) {
      assertThat(server.get("/v1/force_render_all", "Sec-Fetch-Site", site).statusCode())
          .as(site)
          .isEqualTo(200);
    }
    var page = "http://127.0.0.1:" + server.port + "/#roles";
    assertThat(server.get("/v1/force_render_all", "Referer", page).statusCode()).isEqualTo(200);
    assertThat(forced).hasValue(5);
  }
}
