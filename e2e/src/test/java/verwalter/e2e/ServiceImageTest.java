package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** A service of one file whose programs are downloaded, with the launcher and real processes. */
class ServiceImageTest {
  private static final String SERVICE =
      """
      processes:
        web:
          command: [./server, "${port.http}"]
          instances: %d
          ports: {http: 24700-24709}
          stop-timeout: 1s
          health: {http: /}
      update: {one-by-one: true, ready-for: 1s, deadline: 8s}
      image: {url: "%s", sha256: "%s"}
      """;

  /** Serves the files of its release. */
  private static final String SERVER =
      """
      #!/usr/bin/env python3
      import sys, http.server
      address = ("127.0.0.1", int(sys.argv[1]))
      http.server.ThreadingHTTPServer(address, http.server.SimpleHTTPRequestHandler).serve_forever()
      """;

  @TempDir private Path root;
  private final HttpClient client = HttpClient.newHttpClient();
  private ArchiveServer server;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    server = new ArchiveServer();
    agent = LaunchedAgent.startForServices(root);
    site = agent.site();
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
    server.close();
  }

  private String archive(String text) throws IOException {
    return server.add(text + ".tar.gz", Map.of("server", SERVER, "index.html", text));
  }

  private void file(int instances, String text, String sha256) throws IOException {
    var url = server.url(text + ".tar.gz");
    site.write("roles/shop.yaml", SERVICE.formatted(instances, url, sha256));
  }

  private JsonNode instance() {
    return agent.object("roleinstances", "shop@alone");
  }

  private List<String> pages() {
    var pages = new ArrayList<String>();
    for (var daemon : instance().at("/spec/variables/daemons")) {
      pages.add(page(daemon.at("/variables/http").asText()));
    }
    return pages;
  }

  private String page(String port) {
    try {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
      return client.send(request, BodyHandlers.ofString()).body();
    } catch (IOException down) {
      return "";
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private void awaitPages(String text, int count) {
    soon(
        () -> {
          assertThat(instance().at("/status/state").asText()).isEqualTo("RUNNING");
          assertThat(pages()).hasSize(count).containsOnly(text);
        });
  }

  private List<Path> releases() throws IOException {
    try (var all = Files.list(root.resolve("storage/releases"))) {
      return all.toList();
    }
  }

  private static Path directory(long pid) throws IOException {
    return Path.of("/proc/" + pid + "/cwd").toRealPath();
  }

  @Test
  void anImageIsUnpackedBeforeProcessesAreReplacedOneByOne() throws Exception {
    file(3, "one", archive("one"));
    awaitPages("one", 3);
    assertThat(Files.getPosixFilePermissions(root.resolve("storage"))).hasSizeLessThan(6);
    var first = agent.pids("shop");

    var two = archive("two");
    server.hold("two.tar.gz");
    file(3, "two", two);
    soon(
        () ->
            assertThat(instance().at("/status/reason").asText())
                .startsWith("the image of v2: downloading"));
    assertThat(agent.pids("shop")).isEqualTo(first);
    assertThat(pages()).containsOnly("one");
    server.release("two.tar.gz");
    var fewest = new ArrayList<>(List.of(3));
    soon(
        () -> {
          var now = pages();
          fewest.add((int) now.stream().filter(text -> !text.isEmpty()).count());
          assertThat(now).hasSize(3).containsOnly("two");
        });
    assertThat(fewest).allMatch(answering -> answering >= 2);
    soon(() -> assertThat(releases()).hasSize(1));
    Files.delete(site.config().resolve("roles/shop.yaml"));
    soon(() -> assertThat(releases()).isEmpty());
  }

  private void awaitActive(String version) {
    soon(
        () ->
            assertThat(instance().at("/spec/variables/active_version").asText())
                .isEqualTo(version));
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
  void anImageIsUnpackedOnceAndAFailureOrAKillStopsNothing() throws Exception {
    var two = archive("two");
    file(3, "two", two);
    awaitPages("two", 3);
    awaitActive("v1");
    var second = agent.pids("shop");
    file(2, "two", two);
    awaitPages("two", 2);
    awaitActive("v2");
    assertThat(second).containsAllEntriesOf(agent.pids("shop"));

    file(2, "three", "0".repeat(64));
    soon(() -> assertThat(agent.vw("status").text()).contains("404"));
    soon(() -> assertThat(agent.vw("why", "shop").text()).contains("v3 failed before"));
    assertThat(pages()).containsOnly("two");
    assertThat(second).containsAllEntriesOf(agent.pids("shop"));

    agent.killHard();
    agent.startAgain();
    awaitPages("two", 2);
    assertThat(second).containsAllEntriesOf(agent.pids("shop"));
    var unpacked = directory(second.values().iterator().next());
    assertThat(agent.vwAsAdmin("purge", "shop").code()).isZero();
    soon(
        () -> {
          for (var pid : agent.awaitRunning("shop", 2).values()) {
            assertThat(directory(pid)).isNotEqualTo(unpacked);
          }
        });
    awaitPages("two", 2);
    assertThat(server.requests("two.tar.gz")).isEqualTo(1);
  }
}
