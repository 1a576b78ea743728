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

/**
 * The pages in {@code docs/reference} say what the programs say. With {@code -Dreference.write} the
 * tests write them instead; {@code bin/reference} does so.
 */
class ReferenceTest {
  private static final Path PAGES = LaunchedAgent.HOME.resolve("docs/reference");

  @Test
  void everyVerbAndFlagOfVwIsThere() throws IOException {
    same("vw.md", CommandPages.vw());
  }

  @Test
  void everyFlagOfTheAgentIsThere() throws IOException {
    same("agent.md", CommandPages.agent());
  }

  @Test
  void everyExitCodeIsThere() throws IOException {
    same("exit-codes.md", CommandPages.exitCodes());
  }

  @Test
  void everyFieldOfEveryKindIsThere() throws IOException {
    same("kinds.md", KindsPage.of());
  }

  @Test
  void everyFunctionOfTheLibraryIsThere() throws IOException {
    same("lua.md", LuaPage.of());
  }

  @Test
  void everyRouteIsThere() throws IOException {
    same("http.md", HttpPages.routes());
  }

  @Test
  void everyMetricIsThere(@TempDir Path root) throws Exception {
    var agent = LaunchedAgent.start(root, Site.in(root));
    try {
      get(agent.url() + "/healthz");
      same("metrics.md", HttpPages.metrics(get(agent.url() + "/metrics")));
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

  private static String get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }
}
