package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Versions whose processes do not stay up, with the launcher and a real web server. Each test has a
 * role of its own at the same agent.
 */
class BrokenReleaseTest {
  private static final String CONTAINER =
      """
      kind: Daemon
      executable: %s
      arguments: ["-c", "%s"]
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
    agent = LaunchedAgent.start(root, images.site());
  }

  @AfterAll
  static void stop() throws Exception {
    agent.close();
    server.close();
  }

  private static void version(String role, String version, String program, String script)
      throws IOException {
    var archive = role + "-" + ImageSite.archive(version);
    var files = Map.of("config/worker.yaml", CONTAINER.formatted(program, script));
    images
        .site()
        .write(
            "runtime/" + role + "/" + version + ".yaml",
            """
            count: 2
            image: {url: "%s", sha256: "%s"}
            update: {on-failure: revert}
            """
                .formatted(server.url(archive), server.add(archive, files)));
  }

  private static void role(String role) throws IOException {
    images.role(role);
    version(role, "v1", "/bin/sh", "exec sleep 86400");
    awaitVersion(agent, role, "v1", 2);
  }

  private static JsonNode status(String role) {
    return agent.object("roleinstances", role + "@alone").path("status");
  }

  /** Waits until the former version runs again, and returns the reason. */
  private static String awaitReverted(String role) {
    soon(
        () -> {
          assertThat(status(role).path("failed").path("version").asText()).isEqualTo("v2");
          assertThat(status(role).path("state").asText()).isEqualTo("RUNNING");
        });
    awaitVersion(agent, role, "v1", 2);
    return ImageSite.reason(agent, role);
  }

  @Test
  void aVersionWhoseProcessesEndAfterASecondGivesWayToTheFormerOne() throws Exception {
    role("brief");
    version("brief", "v2", "/bin/sh", "sleep 1; exit 3");

    assertThat(awaitReverted("brief"))
        .startsWith("v2 failed: brief/worker.")
        .contains("exited with code 3")
        .endsWith("; runs v1 again");

    assertThat(agent.vw("get", "ri").text()).contains("Reverted");
    assertThat(agent.vw("status").text()).contains("runs its former version again");
    assertThat(agent.vw("get", "events").text()).contains("Reverted").contains("goes back to v1");
    version("brief", "v3", "/bin/sh", "exec sleep 86400");
    awaitVersion(agent, "brief", "v3", 2);
    assertThat(status("brief").has("failed")).isFalse();
  }

  /** A program that exists and cannot be started. */
  private static String withoutInterpreter() throws IOException {
    images.site().write("bin/broken", "#!/no/such/interpreter\n");
    var program = images.site().config().resolve("bin/broken");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return program.toString();
  }

  @Test
  void aVersionWhoseProcessFileIsRefusedStopsNothing() throws Exception {
    role("typo");
    var pids = agent.pids("typo");
    version("typo", "v2", "/no/such/program", "");

    soon(() -> assertThat(ImageSite.reason(agent, "typo")).contains("/no/such/program"));
    assertThat(status("typo").path("replacement").path("phase").asText()).isEqualTo("PREPARE");
    assertThat(agent.vw("status").text()).contains("/no/such/program");
    assertThat(agent.pids("typo")).isEqualTo(pids);

    version("typo", "v3", "/bin/sh", "exec sleep 86400");
    awaitVersion(agent, "typo", "v3", 2);
  }

  @Test
  void aVersionWhoseProcessesNeverStartGivesWayToTheFormerOne() throws Exception {
    role("never");
    version("never", "v2", withoutInterpreter(), "");

    assertThat(awaitReverted("never")).startsWith("v2 failed: ").endsWith("; runs v1 again");

    var pids = agent.pids("never");
    agent.killHard();
    agent.startAgain();
    awaitVersion(agent, "never", "v1", 2);
    assertThat(agent.pids("never")).isEqualTo(pids);
    var restarted = agent.vwAsAdmin("restart", "never", "--timeout=60s");
    assertThat(restarted.code()).isEqualTo(1);
    assertThat(restarted.text()).contains("v2 failed: ");
  }
}
