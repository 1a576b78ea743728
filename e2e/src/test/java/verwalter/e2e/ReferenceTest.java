package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cli.Manual;

/**
 * Compares the pages in {@code docs/reference} with the programs. With {@code -Dreference.write}
 * the tests write the pages instead; {@code bin/reference} does so.
 */
class ReferenceTest {
  private static final Path PAGES = LaunchedAgent.HOME.resolve("docs/reference");

  @Test
  void everyVerbAndFlagOfVwIsDocumented() throws IOException {
    same("vw.md", CommandPages.vw());
  }

  @Test
  void everyFlagOfTheAgentIsDocumented() throws IOException {
    same("agent.md", CommandPages.agent());
  }

  @Test
  void everyFieldOfAServiceIsInItsSchema() throws IOException {
    same("service.schema.json", Manual.serviceSchema());
  }

  @Test
  void everyExitCodeIsDocumented() throws IOException {
    same("exit-codes.md", CommandPages.exitCodes());
  }

  @Test
  void everyFieldOfEveryKindIsDocumented() throws IOException {
    same("kinds.md", KindsPage.of());
  }

  @Test
  void everyFunctionOfTheLibraryIsDocumented() throws IOException {
    same("lua.md", LuaPage.of());
  }

  @Test
  void everyRouteIsDocumented() throws IOException {
    same("http.md", HttpPages.routes());
  }

  @Test
  void everyMetricIsDocumented(@TempDir Path root) throws Exception {
    var agent = LaunchedAgent.start(root, Site.in(root));
    try {
      get(agent.url() + "/healthz");
      var metrics = get(agent.url() + "/metrics");
      same("metrics.md", HttpPages.metrics(metrics));
      var series =
          metrics.lines().filter(line -> !line.startsWith("#")).map(ReferenceTest::series).toList();
      assertThat(series).as("controllers with one name repeat series").doesNotHaveDuplicates();
    } finally {
      agent.close();
    }
  }

  private static void same(String file, String page) throws IOException {
    var path = PAGES.resolve(file);
    if (Boolean.getBoolean("reference.write")) {
      Files.createDirectories(PAGES);
      Files.writeString(path, page);
      return;
    }
    assertThat(Files.exists(path) ? Files.readString(path) : "")
        .as("docs/reference/%s is not what the programs say; run bin/reference", file)
        .isEqualTo(page);
  }

  /** A line without its value. */
  private static String series(String line) {
    return line.substring(0, line.lastIndexOf(' '));
  }

  private static final String ACCEPTED = "application/openmetrics-text, */*;q=0.1";

  private static String get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).header("Accept", ACCEPTED).build(),
            BodyHandlers.ofString())
        .body();
  }
}
