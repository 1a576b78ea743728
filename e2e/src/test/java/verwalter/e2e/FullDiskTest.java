package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.stores.testkit.SmallDisk;

/** Tests an agent whose storage directory is on a disk that is full for a while. */
class FullDiskTest {
  @TempDir private Path root;
  private SmallDisk disk;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    disk = SmallDisk.on(root.resolve("storage"), 4096);
    site = Site.in(root);
    site.version("app", "v1", 2);
    agent = LaunchedAgent.start(root, site);
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).untilAsserted(claim);
  }

  /**
   * Writes until a write fails, since small writes may still fit into the last page of the journal.
   */
  private void fillUntilWritesFail() {
    disk.fill();
    var count = new AtomicInteger(3);
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              site.count("app", "v1", 3 + count.getAndIncrement() % 2);
              return agent.status("/readyz") == 503;
            });
  }

  @Test
  void theAgentReportsAFullDiskAndContinuesOnceThereIsSpace() throws Exception {
    var before = agent.awaitRunning("app", 2);

    fillUntilWritesFail();

    assertThat(agent.text("/readyz"))
        .contains("[-]store failed")
        .contains(disk.directory().resolve("store").toString())
        .contains("the disk is full");
    assertThat(agent.status("/healthz")).isEqualTo(200);
    assertThat(agent.log()).contains("the disk is full");
    soon(
        () -> assertThat(agent.log()).containsPattern("problem=critical .*cannot write its store"));
    assertThat(agent.objects("roleinstances")).hasSize(1);
    assertThat(before.values()).allMatch(Processes::alive);

    disk.free();
    site.count("app", "v1", 5);

    assertThat(agent.awaitRunning("app", 5)).containsAllEntriesOf(before);
    soon(() -> assertThat(agent.status("/readyz")).isEqualTo(200));
    soon(
        () -> assertThat(agent.log()).containsPattern("problem=resolved .*cannot write its store"));
  }

  @Test
  void anAgentKilledOnTheFullDiskRestartsAndAdoptsProcesses() throws Exception {
    var before = agent.awaitRunning("app", 2);
    fillUntilWritesFail();
    agent.killHard();
    disk.fill();

    agent.startAgainUnready();

    assertThat(before.values()).allMatch(Processes::alive);
    disk.free();
    site.count("app", "v1", 5);
    assertThat(agent.awaitRunning("app", 5)).containsAllEntriesOf(before);
  }
}
