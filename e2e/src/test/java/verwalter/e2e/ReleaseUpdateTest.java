package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests versions whose images are downloaded, with the launcher and real processes. */
class ReleaseUpdateTest {
  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "exec sleep 86400", "%s"]
      kill-timeout: 2
      """;

  private static final String PROCESSES =
      """
      worker:
        kind: Daemon
        image: "{{ release.image }}"
        config: /config/worker.yaml
        instances: {{ count }}
      """;

  @TempDir private Path root;
  private ArchiveServer server;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    server = new ArchiveServer();
    site = Site.in(root);
    site.write("runtime/app/settings.yaml", "out: " + site.outputOf("app").getParent() + "\n");
    site.write("templates/app/v1/processes.yaml.j2", PROCESSES);
    site.write(
        "lithos/sandboxes/app.yaml",
        """
        image-dir: %s
        image-dir-levels: 2
        allow-users: [0-65534]
        allow-groups: [0-65534]
        default-user: 0
        """
            .formatted(root.resolve("storage/releases")));
    version("v1");
    agent = LaunchedAgent.start(root, site);
    agent.awaitRunning("app", 2);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
    server.close();
  }

  private String archive(String version) throws IOException {
    return server.add(
        version + ".tar.gz", Map.of("config/worker.yaml", CONTAINER.formatted(version)));
  }

  private void version(String version) throws IOException {
    version(version, archive(version));
  }

  private void version(String version, String sha256) throws IOException {
    site.write(
        "runtime/app/" + version + ".yaml",
        "count: 2\nimage: {url: \"%s\", sha256: \"%s\"}\n"
            .formatted(server.url(version + ".tar.gz"), sha256));
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).untilAsserted(claim);
  }

  private void runs(String version) {
    soon(
        () -> {
          var status = agent.object("roleinstances", "app@alone").path("status");
          assertThat(status.path("version").asText()).isEqualTo(version);
          assertThat(status.path("state").asText()).isEqualTo("RUNNING");
          assertThat(status.has("replacement")).isFalse();
          assertThat(versions()).isEqualTo(List.of(version, version));
        });
  }

  /** The version of each process, by its working directory. */
  private List<String> versions() throws IOException {
    var versions = new ArrayList<String>();
    for (var pid : agent.pids("app").values()) {
      var files = Path.of("/proc/" + pid + "/cwd").toRealPath();
      versions.add(files.toString().replaceAll(".*%40(v\\d+)%40.*", "$1"));
    }
    return versions;
  }

  private String reason() {
    return agent.object("roleinstances", "app@alone").path("status").path("reason").asText();
  }

  private List<Path> releases() throws IOException {
    try (var all = Files.list(root.resolve("storage/releases"))) {
      return all.toList();
    }
  }

  @Test
  void theOldVersionRunsWhileTheNewOneIsDownloadedAndTheSwitchLeavesNothing() throws Exception {
    var before = agent.pids("app");
    archive("v2");
    server.hold("v2.tar.gz");
    version("v2");

    soon(() -> assertThat(reason()).startsWith("v2: downloading"));
    assertThat(agent.pids("app")).isEqualTo(before);
    assertThat(agent.vw("get", "dr").text()).contains("app@v2@main");
    assertThat(agent.vw("get", "ri").text()).contains("Preparing").contains("v1");
    server.release("v2.tar.gz");

    runs("v2");
    soon(() -> assertThat(releases()).hasSize(1));
    assertThat(agent.objects("deploymentrefs")).hasSize(1);
    soon(() -> assertThat(agent.objects("artifacts")).hasSize(1));
  }

  @Test
  void aMissingArchiveAndAWrongDigestAreShownAndRepaired() throws Exception {
    var before = agent.pids("app");
    version("v2", "0".repeat(64));
    soon(() -> assertThat(reason()).startsWith("v2: downloading: ").contains("404"));
    archive("v2");
    soon(() -> assertThat(reason()).contains("instead of sha256:"));
    assertThat(agent.pids("app")).isEqualTo(before);

    version("v3");

    runs("v3");
    soon(() -> assertThat(releases()).hasSize(1));
  }

  @Test
  void aKilledAgentGoesOnWithTheUpdate() throws Exception {
    archive("v2");
    server.hold("v2.tar.gz");
    version("v2");
    soon(() -> assertThat(reason()).startsWith("v2: downloading"));
    agent.killHard();
    server.release("v2.tar.gz");

    agent.startAgain();

    runs("v2");
  }

  @Test
  void aPurgeUnpacksTheReleaseAnewAndARemovedRoleLeavesNothing() throws Exception {
    var before = agent.pids("app");
    var unpacked = releases();

    var purged = agent.vwAsAdmin("purge", "app");

    assertThat(purged.text()).contains("ri/app@alone purged");
    assertThat(purged.code()).isZero();
    runs("v1");
    soon(() -> assertThat(releases()).hasSize(1).doesNotContainAnyElementsOf(unpacked));
    assertThat(agent.pids("app").values()).doesNotContainAnyElementsOf(before.values());
    assertThat(server.requests("v1.tar.gz")).isEqualTo(1);
    site.remove("runtime/app");
    soon(() -> assertThat(agent.objects("roleinstances")).isEmpty());
    soon(() -> assertThat(releases()).isEmpty());
    soon(() -> assertThat(agent.objects("artifacts")).isEmpty());
  }
}
