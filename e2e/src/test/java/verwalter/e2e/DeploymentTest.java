package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the logs of deployments on disk and over HTTP. */
class DeploymentTest {
  @TempDir private Path root;
  private LaunchedAgent agent;
  private Site site;

  @BeforeEach
  void start() throws Exception {
    site = Site.in(root);
    site.version("app", "v1", 1);
    agent = LaunchedAgent.start(root, site);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50)).untilAsserted(claim);
  }

  private long finished() {
    return agent
        .text("/v1/log/index/latest")
        .lines()
        .filter(line -> line.endsWith("\"DeploymentFinish\"]"))
        .count();
  }

  @Test
  void aDeploymentIsLoggedAndTheScheduleKept() throws Exception {
    agent.awaitRunning("app", 1);
    soon(() -> assertThat(finished()).isPositive());

    var id = agent.object("templateoutputs", "app@alone").at("/status/deployment").asText();
    assertThat(agent.text("/v1/log/index/latest"))
        .contains("\"" + id + "\"")
        .contains("{\"variant\":\"ActionStart\",\"fields\":[\"app.render.yaml\"]}")
        .contains("\"RoleFinish\"");
    assertThat(agent.text("/v1/log/role/app/latest"))
        .contains(id + " ------------ app: RoleStart ----------- \nTemplate variables: {")
        .contains("Rendered successfully\n");
    var hash = agent.json("/v1/schedule").path("hash").asText();
    assertThat(agent.text("/v1/log/global/latest"))
        .contains("schedule-hash: " + hash)
        .contains("scheduled for alone");
    assertThat(Files.readString(root.resolve("storage/schedule/schedule.json"))).contains(hash);
    soon(() -> assertThat(agent.json("/v1/backups")).hasSize(3));
  }

  @Test
  void logsOfOtherProgramsAreServedByTheirNameInTheSandbox() throws Exception {
    Files.createDirectories(root.resolve("nginx/a"));
    Files.writeString(root.resolve("nginx/a/error.log"), "oh");
    assertThat(agent.status("/v1/log/external/nginx/a/error.log")).isEqualTo(403);

    site.write("sandbox/logs.yaml", "log-dirs:\n  nginx: %s/nginx\n".formatted(root));

    assertThat(agent.text("/v1/log/external/nginx/a/error.log")).isEqualTo("oh");
    site.write("sandbox/logs.yaml", "log-dirs:\n  nginx: here\n");
    assertThat(agent.text("/v1/log/external/nginx/a/error.log")).contains("sandbox/logs.yaml:2:");
  }

  @Test
  void allRolesCanBeRenderedAgain() throws Exception {
    agent.awaitRunning("app", 1);
    soon(() -> assertThat(finished()).isPositive());
    long before = finished();
    var first = agent.object("templateoutputs", "app@alone").at("/status/deployment").asText();
    Files.writeString(site.outputOf("app"), "by hand");

    assertThat(agent.text("/v1/force_render_all")).isEqualTo("\"ok\"");

    soon(() -> assertThat(finished()).isGreaterThan(before));
    assertThat(site.outputOf("app")).hasContent("version=v1\ncount=1");
    assertThat(agent.object("templateoutputs", "app@alone").at("/status/deployment").asText())
        .isNotEqualTo(first);
    agent.awaitRunning("app", 1);
  }

  @Test
  void aDeploymentOfAKilledAgentIsAbortedByTheNext() throws Exception {
    agent.awaitRunning("app", 1);
    soon(() -> assertThat(finished()).isPositive());
    agent.killHard();
    var row = "[\"2018-08-10T15:11:50Z\",\"killed\",{\"variant\":\"Role\",";
    Files.writeString(root.resolve("log/.index/latest"), row, StandardOpenOption.APPEND);

    agent.startAgain();

    assertThat(agent.text("/v1/log/index/latest").lines())
        .filteredOn(line -> line.contains("\"killed\""))
        .hasSize(2)
        .last()
        .asString()
        .endsWith("\"DeploymentError\"]");
    assertThat(agent.text("/v1/log/global/latest"))
        .contains(" killed ------------ DeploymentError");
  }
}
