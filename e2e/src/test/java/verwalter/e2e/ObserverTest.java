package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.electors;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.observers;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.readyNodes;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a node that follows an elector without a server of the log: the sixth of six.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ObserverTest {
  private static final Pattern FOLLOWED =
      Pattern.compile("elector=127\\.0\\.0\\.(\\d):\\d+ the log is followed");

  @TempDir private Path root;
  private LaunchedCluster cluster;
  private LaunchedAgent first;
  private LaunchedAgent observer;

  @BeforeEach
  void form() throws Exception {
    cluster = LaunchedCluster.of(6, 2, root, ObserverTest::configure);
    first = cluster.agent("n1");
    observer = cluster.agent("n6");
  }

  @AfterEach
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void configure(Site site) throws IOException {
    site.write("scheduler/v1/main.lua", ClusterTest.SCHEDULER);
    site.version("app", "v1", 2);
  }

  private static void succeeds(LaunchedAgent.Output output) {
    assertThat(output.code()).as(output.text()).isZero();
  }

  private static void assertRun(Map<String, Long> processes) {
    var ended = new TreeMap<>(processes);
    ended.values().removeIf(Processes::alive);
    assertThat(ended).isEmpty();
  }

  /** The name of the elector that an observer has followed last. */
  private String followed() {
    var found = FOLLOWED.matcher(observer.log());
    var name = "";
    while (found.find()) {
      name = "n" + found.group(1);
    }
    return name;
  }

  private static Object schedule(LaunchedAgent agent) {
    return agent.object("nodeschedules", "n6").path("spec");
  }

  private static long pss(LaunchedAgent agent) throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/%d/smaps_rollup".formatted(agent.pid())))) {
      if (line.startsWith("Pss:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    throw new IOException("no Pss");
  }

  @Test
  void anObserverFollowsWritesAndIsPromoted() throws Exception {
    assertThat(observers(first)).containsExactly("n6");
    assertThat(observers(observer)).containsExactly("n6");
    assertThat(electors(observer)).containsExactly("n1", "n2", "n3");
    assertThat(cluster.hasServer("n5")).isTrue();
    assertThat(cluster.hasServer("n6")).isFalse();
    assertThat(first.vw("cluster", "status").text()).containsPattern("n6 +observer");
    assertThat(first.vw("get", "nodes", "-o", "wide").text()).containsPattern("n6 .*observer");

    // It runs what it is to run, and reports that through the leader.
    soon(() -> assertThat(pids(first)).hasSize(12));
    var processes = pids(first);
    soon(() -> assertThat(schedule(observer)).isEqualTo(schedule(first)));
    succeeds(observer.vw("cordon", "n6"));
    soon(
        () ->
            assertThat(observer.object("nodes", "n6").path("spec").path("cordoned").asBoolean())
                .isTrue());
    succeeds(first.vw("uncordon", "n6"));
    System.out.println(
        "PSS in MiB: observer n6 %d, spares n4 %d n5 %d, electors n1 %d n2 %d n3 %d"
            .formatted(
                pss(observer),
                pss(cluster.agent("n4")),
                pss(cluster.agent("n5")),
                pss(cluster.agent("n1")),
                pss(cluster.agent("n2")),
                pss(cluster.agent("n3"))));

    // It goes on with another elector, and then with another leader.
    var lost = followed();
    cluster.agent(lost).killHard();
    soon(() -> assertThat(followed()).isNotEqualTo(lost));
    soon(() -> assertThat(leader(observer)).isNotEmpty());
    cluster.agent(lost).startAgain();
    soon(() -> assertThat(readyNodes(observer)).hasSize(6));
    soon(() -> assertThat(leader(observer)).isNotEmpty());
    var leader = leader(observer);
    cluster.agent(leader).killHard();
    soon(() -> assertThat(leader(observer)).isNotEmpty().isNotEqualTo(leader));
    cluster.agent(leader).startAgain();
    soon(() -> assertThat(readyNodes(observer)).hasSize(6));
    soon(() -> succeeds(observer.vw("cordon", "n6")));
    assertRun(processes);

    // It starts again with a server when one was lost, and can become an elector.
    soon(() -> succeeds(first.vwAsAdmin("node", "elect", "3", "--replace-after", "1s")));
    cluster.agent("n5").killHard();
    soon(() -> assertThat(cluster.hasServer("n6")).isTrue());
    soon(() -> assertThat(observers(first)).isEmpty());
    var gone =
        electors(first).stream().filter(name -> !name.equals("n1")).findFirst().orElseThrow();
    cluster.agent(gone).killHard();
    cluster.agent("n4").killHard();
    soon(() -> assertThat(electors(first)).contains("n6"));
    soon(() -> assertThat(cluster.hasAuthority("n6")).isTrue());
    processes.values().removeIf(pid -> !Processes.alive(pid));
    assertThat(processes).hasSize(12);
  }
}
