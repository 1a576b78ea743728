package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flags that limit the downloads of an agent, with the launcher and a real web server. */
class DownloadLimitsTest {
  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "exec sleep 86400"]
      kill-timeout: 2
      """;

  /** So large that its download takes more than a minute with the limit below. */
  private static final int LARGE = 1_000_000;

  @TempDir private static Path root;
  private static ArchiveServer server;
  private static ImageSite images;
  private static LaunchedAgent agent;

  @BeforeAll
  static void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    images.role("large");
    images.role("small");
    agent = LaunchedAgent.start(root, images.site(), "--downloads=1", "--download-kilobytes=8");
  }

  @AfterAll
  static void stop() throws Exception {
    agent.close();
    server.close();
  }

  @Test
  void oneDownloadAtATimeReceivesWithTheGivenRateAndTheNextOneWaits() throws Exception {
    var files = Map.of("config/worker.yaml", CONTAINER, "ballast", ImageSite.ballast(LARGE));
    images.wanted("large", "v1", 1, "large.tar.gz", server.add("large.tar.gz", files));
    soon(() -> assertThat(agent.vw("get", "dr").text()).containsPattern("large@v1.*[1-9]\\d?%"));

    var small = server.add("small.tar.gz", Map.of("config/worker.yaml", CONTAINER));
    images.wanted("small", "v1", 1, "small.tar.gz", small);
    soon(() -> assertThat(ImageSite.reason(agent, "small")).endsWith("waits for its turn"));
    soon(() -> assertThat(agent.vw("get", "dr").text()).containsPattern("large@v1.*[1-9]\\d?%"));
    assertThat(server.requests("small.tar.gz")).isZero();
    assertThat(images.partial()).hasSize(1);

    images.site().remove("runtime/large");
    awaitVersion(agent, "small", "v1", 1);
    assertThat(server.requests("small.tar.gz")).isEqualTo(1);
    assertThat(server.requests("large.tar.gz")).isEqualTo(1);
  }
}
