package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clock of a launched agent is set while it runs, with libfaketime.
 *
 * <p>Takes a minute, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClockJumpTest {
  /** Longer than the pause between two renewals of a lease, and than those of the scheduler. */
  private static final Duration CALM = Duration.ofSeconds(11);

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    site = Site.in(root);
    site.version("app", "v1", 2);
    setClock("+0d");
    var environment = FakeClock.shiftedAsIn(offset());
    environment.put("VERWALTER_LOG", "info");
    agent = LaunchedAgent.startIn(environment, root, site);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private Path offset() {
    return root.resolve("offset");
  }

  private void setClock(String offset) throws IOException {
    var next = Files.writeString(root.resolve("offset.new"), offset + "\n");
    Files.move(next, offset(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a jump of the clock must not change. */
  private record State(
      Map<String, Long> starts,
      Map<Long, Long> restarts,
      String schedule,
      long epoch,
      String ready,
      int readyz) {}

  private State state() {
    var starts = new TreeMap<String, Long>();
    agent.pids("app").forEach((slot, pid) -> starts.put(slot + " " + pid, Processes.startOf(pid)));
    var slots = agent.object("processgroups", "app@alone").at("/status/processes");
    var restarts = new TreeMap<Long, Long>();
    slots.forEach(slot -> restarts.put(slot.path("pid").asLong(), slot.path("restarts").asLong()));
    return new State(
        starts,
        restarts,
        agent.json("/v1/schedule").path("hash").asText(),
        epoch(),
        ready(),
        agent.status("/readyz"));
  }

  private long epoch() {
    return agent
        .text("/metrics")
        .lines()
        .filter(line -> line.startsWith("verwalter_store_epoch "))
        .map(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElse(0L);
  }

  private String ready() {
    for (var condition : agent.object("nodes", "alone").at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  private String problems() {
    return agent
        .log()
        .lines()
        .filter(line -> line.contains("problem="))
        .collect(Collectors.joining("\n"));
  }

  /** The time of the agent's own clock. */
  private Instant agentsNow() {
    return Instant.ofEpochMilli(agent.json("/v1/status").path("peers_timestamp").asLong());
  }

  private void jump(String offset, Duration expected) throws IOException {
    setClock(offset);
    await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () ->
                Duration.between(Instant.now().plus(expected), agentsNow())
                        .abs()
                        .compareTo(Duration.ofMinutes(1))
                    < 0);
  }

  private void changesNothing(String offset, Duration expected) throws IOException {
    var before = state();
    var known = problems();
    jump(offset, expected);
    await()
        .during(CALM)
        .atMost(CALM.multipliedBy(3))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(state()).isEqualTo(before));
    assertThat(problems()).isEqualTo(known);
  }

  /** A process that ended is started again, also one that started in the clock's future. */
  private void aKilledProcessReturns() {
    var before = agent.pids("app");
    // The last one was started before the last jump of the clock.
    long victim = before.get("app/worker." + (before.size() - 1));
    Processes.kill(victim);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                agent.pids("app").size() == before.size()
                    && !agent.pids("app").containsValue(victim));
  }

  private void roleCanChange(int count) throws IOException {
    var before = agent.pids("app");
    site.count("app", "v1", count);
    assertThat(agent.awaitRunning("app", count)).containsAllEntriesOf(before);
  }

  @Test
  void jumpsMoveNothing() throws Exception {
    agent.awaitRunning("app", 2);
    await().until(() -> ready().equals("True"));

    changesNothing("+1d", Duration.ofDays(1));
    roleCanChange(3);
    changesNothing("+0d", Duration.ZERO);
    aKilledProcessReturns();
    roleCanChange(4);
    changesNothing("+400d", Duration.ofDays(400));
    roleCanChange(5);
    changesNothing("+0d", Duration.ZERO);
    aKilledProcessReturns();
    roleCanChange(6);
  }
}
