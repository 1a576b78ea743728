package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests releases, guards and drift with the launcher, {@code vw} and real processes. */
class RolloutTest {
  private static final String RECIPE = "templates/app/v1/app.render.yaml";
  private static final String SETTINGS = "templates/app/v1/settings.txt.j2";

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    site = Site.in(root);
    site.write(RECIPE, site.read(RECIPE).replace("0o640", "0o644"));
    site.version("app", "v1", 2);
    agent = LaunchedAgent.start(root, site);
    agent.awaitRunning("app", 2);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50)).untilAsserted(claim);
  }

  private String vw(int code, String... words) throws Exception {
    var output = agent.vw(words);
    assertThat(output.code()).as(output.text()).isEqualTo(code);
    return output.text();
  }

  @Test
  void aReleaseIsRestoredWithItsProcessesAndStaysPinnedAfterAKill() throws Exception {
    site.version("app", "v2", 3);
    soon(() -> assertThat(site.outputOf("app")).hasContent("version=v2\ncount=3"));
    agent.awaitRunning("app", 3);
    assertThat(vw(0, "files", "status", "app")).contains("up to date, 3/3 processes run");
    assertThat(vw(0, "files", "history", "app", "-o", "name").lines()).hasSize(2);

    vw(0, "files", "undo", "app");

    soon(() -> assertThat(site.outputOf("app")).hasContent("version=v1\ncount=2"));
    agent.awaitRunning("app", 2);
    assertThat(vw(0, "files", "status", "app")).contains("rolled back, 2/2 processes run");
    assertThat(vw(0, "get", "to")).contains("RolledBack");
    agent.killHard();
    agent.startAgain();
    site.count("app", "v2", 4);
    soon(
        () ->
            assertThat(
                    agent.object("roleinstances", "app@alone").at("/spec/variables/count").asInt())
                .isEqualTo(4));
    assertThat(vw(0, "files", "history", "app")).contains("current, pinned");
    assertThat(site.outputOf("app")).hasContent("version=v1\ncount=2");

    vw(0, "files", "resume", "app");

    soon(() -> assertThat(site.outputOf("app")).hasContent("version=v2\ncount=4"));
    agent.awaitRunning("app", 4);
  }

  @Test
  void aListThatShrinksTooMuchIsHeldUntilAllowed() throws Exception {
    site.write(RECIPE, "guards: {settings: {lines: '^server'}}\n" + site.read(RECIPE));
    var list = site.read(SETTINGS) + "server a\nserver b\nserver c\n";
    site.write(SETTINGS, list);
    soon(() -> assertThat(site.outputOf("app")).content().contains("server c"));

    site.write(SETTINGS, site.read(SETTINGS).replace("server b\nserver c\n", ""));

    soon(
        () ->
            assertThat(agent.complaint(agent.object("templateoutputs", "app@alone"), "Rendered"))
                .contains("settings would go from 3 items to 1"));
    assertThat(vw(6, "files", "status", "app")).contains("vw files allow app --node alone");
    assertThat(vw(0, "get", "to")).contains("Held");
    assertThat(site.outputOf("app")).content().contains("server c");

    vw(0, "files", "allow", "app");

    soon(() -> assertThat(site.outputOf("app")).content().doesNotContain("server c"));
    soon(
        () ->
            assertThat(
                    agent
                        .object("templateoutputs", "app@alone")
                        .at("/metadata/annotations")
                        .toString())
                .doesNotContain("verwalter.io/allow"));
    soon(
        () ->
            assertThat(agent.objects("events"))
                .extracting(event -> event.at("/spec/reason").asText())
                .contains("Held", "GuardOverruled"));
  }

  @Test
  void aChangedFileIsRestoredAndShownAsAPatch() throws Exception {
    var pids = agent.pids("app");

    Files.writeString(site.outputOf("app"), "version=v1\ncount=99\n");

    soon(() -> assertThat(site.outputOf("app")).hasContent("version=v1\ncount=2"));
    soon(() -> assertThat(vw(0, "describe", "to")).contains("-count=2").contains("+count=99"));
    assertThat(agent.pids("app")).isEqualTo(pids);
    site.write(RECIPE, "drift: report\n" + site.read(RECIPE));
    soon(
        () -> {
          Files.writeString(site.outputOf("app"), "mine\n");
          assertThat(agent.complaint(agent.object("templateoutputs", "app@alone"), "AsWritten"))
              .contains("has other content");
        });
    assertThat(site.outputOf("app")).hasContent("mine");
  }
}
