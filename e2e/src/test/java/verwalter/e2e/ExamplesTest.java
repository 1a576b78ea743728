package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the configurations in {@code examples/} run unchanged. */
@Order(6)
class ExamplesTest {
  private static final Path EXAMPLES = LaunchedAgent.HOME.resolve("examples");

  @TempDir private Path root;
  private LaunchedAgent agent;

  private LaunchedAgent start(String example) throws IOException {
    agent = LaunchedAgent.start(root, Site.copyOf(EXAMPLES.resolve(example), root));
    return agent;
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.close();
    }
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(claim);
  }

  private String state(String path) {
    return agent.object("schedules", "current").at("/spec/data/state" + path).asText();
  }

  @Test
  void workersAreAddedGraduallyAndReplacedByANewVersion() throws Exception {
    start("workers");
    assertThat(agent.awaitRunning("worker", 12)).containsKey("worker/worker.11");
    soon(() -> assertThat(state("/worker/counts/worker")).isEqualTo("12"));

    var old = agent.pids("worker");
    agent
        .site()
        .write(
            "runtime/worker/v2.yaml",
            agent
                .site()
                .read("runtime/worker/v1.yaml")
                .replace("worker-v1", "worker-v2")
                .replace("1767225600", "1767225700"));
    soon(() -> assertThat(state("/worker/update/target_ver")).isEqualTo("v2"));
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(state("/worker/running")).isEqualTo("v2"));

    var all = agent.awaitRunning("worker", 12);
    assertThat(all.values()).doesNotContainAnyElementsOf(old.values());
  }

  @Test
  void theShopIsOperatedWithButtons() throws Exception {
    start("shop");
    press("1-create.yaml");
    var first = agent.awaitRunning("shop", 3);
    assertThat(first.keySet())
        .containsExactly("shop/main-web-0.0", "shop/main-web-1.0", "shop/main-web-2.0");
    var upstreams = agent.site().config().resolve("lithos/files/shop/upstreams.conf");
    assertThat(Files.readString(upstreams)).contains("127.0.0.1:11102").contains("main-web-2, v1");

    press("2-update.yaml");
    soon(() -> assertThat(state("/shop/groups/main/update/step")).isEqualTo("cmd_migrate"));
    soon(() -> assertThat(agent.pids("shop")).containsKey("shop/main-migrate.0"));

    press("3-ack.yaml");
    soon(() -> assertThat(state("/shop/groups/main/version")).isEqualTo("v2"));
    var second = agent.awaitRunning("shop", 3);
    assertThat(second.keySet()).isEqualTo(first.keySet());
    assertThat(second.values()).doesNotContainAnyElementsOf(first.values());
    soon(
        () ->
            assertThat(Files.readString(upstreams))
                .contains("127.0.0.1:11102")
                .contains("main-web-2, v2")
                .doesNotContain("v1"));
  }

  private void press(String file) throws Exception {
    var applied = agent.vw("apply", "-f", EXAMPLES.resolve("shop/buttons/" + file).toString());
    assertThat(applied.code()).as(applied.text()).isZero();
  }

  @Test
  void theIdleQueueHasItsMinimumOfWorkers() throws Exception {
    start("queue");
    assertThat(agent.awaitRunning("queue", 2)).hasSize(2);
    assertThat(
            agent.object("schedules", "current").at("/spec/data/query_metrics/rules").fieldNames())
        .toIterable()
        .containsExactly("queue.jobs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"workers", "shop", "queue"})
  void specsOfTheExamplePass(String example) throws Exception {
    var directory = EXAMPLES.resolve(example).resolve("scheduler/v1").toString();
    var vw =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("vw").toString(), "scheduler", "test", directory)
            .redirectErrorStream(true)
            .start();
    vw.getOutputStream().close();
    var text =
        new String(vw.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(vw.waitFor()).as(text).isZero();
  }
}
