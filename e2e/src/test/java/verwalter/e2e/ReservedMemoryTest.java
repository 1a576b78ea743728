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

/** The flag that limits how much memory versions may reserve, with the launcher. */
class ReservedMemoryTest {
  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "exec sleep 86400"]
      kill-timeout: 2
      """;

  @TempDir private static Path root;
  private static ArchiveServer server;
  private static ImageSite images;
  private static LaunchedAgent agent;

  @BeforeAll
  static void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    images.role("first");
    images.role("second");
    agent = LaunchedAgent.start(root, images.site(), "--reservable-megabytes=100");
  }

  @AfterAll
  static void stop() throws Exception {
    agent.close();
    server.close();
  }

  @Test
  void aVersionWaitsUntilTheMemoryThatItReservesIsGivenBack() throws Exception {
    needing64Megabytes("first");
    awaitVersion(agent, "first", "v1", 1);

    needing64Megabytes("second");
    soon(() -> assertThat(agent.vw("get", "ri").text()).containsPattern("second@alone.*Waiting"));
    assertThat(agent.vw("status").text()).contains("second@alone", "first@alone");
    assertThat(agent.pids("second")).isEmpty();
    assertThat(agent.pids("first")).hasSize(1);

    images.site().remove("runtime/first");
    awaitVersion(agent, "second", "v1", 1);
  }

  private static void needing64Megabytes(String role) throws IOException {
    var archive = role + ".tar.gz";
    var sha256 = server.add(archive, Map.of("config/worker.yaml", CONTAINER));
    images
        .site()
        .write(
            "runtime/" + role + "/v1.yaml",
            "count: 1\nimage: {url: \"%s\", sha256: \"%s\"}\nstart: {memory: 64MiB}\n"
                .formatted(server.url(archive), sha256));
  }
}
