package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.electors;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.readyNodes;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests nodes that join, are lost, leave and return.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClusterMembershipTest {
  @TempDir private Path root;
  private LaunchedCluster cluster;
  private LaunchedAgent first;

  @BeforeEach
  void form() throws Exception {
    cluster = new LaunchedCluster(root, ClusterMembershipTest::configure);
    first = cluster.startFirst();
    soon(() -> assertThat(pids(first)).hasSize(2));
    cluster.foundAndJoin();
    soon(() -> assertThat(pids(first)).hasSize(6));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private static void configure(Site site) throws IOException {
    site.write("scheduler/v1/main.lua", ClusterTest.SCHEDULER);
    site.version("app", "v1", 2);
  }

  private static void succeeds(LaunchedAgent.Output output) {
    assertThat(output.code()).as(output.text()).isZero();
  }

  /** Asserts that no process has ended. */
  private static void assertRun(Map<String, Long> processes) {
    var ended = new TreeMap<>(processes);
    ended.values().removeIf(Processes::alive);
    assertThat(ended).isEmpty();
  }

  /** Writes an object of the cluster, which must not be lost. */
  private static void write(LaunchedAgent agent, String name) throws Exception {
    succeeds(agent.vwAsAdmin("auth", "create-token", name, "--grant", "viewer", "--ttl", "1h"));
  }

  @Test
  void theElectorsFollowTheNodes() throws Exception {
    cluster.join("n4", 4, first, 1);
    soon(() -> assertThat(readyNodes(first)).containsExactly("n1", "n2", "n3", "n4"));
    soon(() -> assertThat(pids(first)).hasSize(8));
    var processes = pids(first);
    assertThat(electors(first)).containsExactly("n1", "n2", "n3");
    soon(() -> assertThat(cluster.hasAuthority("n3")).isTrue());
    assertThat(cluster.hasAuthority("n4")).isFalse();

    write(first, "with-four");

    // A lost elector is replaced.
    succeeds(first.vwAsAdmin("node", "elect", "3", "--replace-after", "1s"));
    cluster.agent("n3").killHard();
    soon(() -> assertThat(electors(first)).containsExactly("n1", "n2", "n4"));
    soon(() -> assertThat(cluster.hasAuthority("n4")).isTrue());

    write(cluster.agent("n4"), "after-loss");
    assertRun(processes);

    // A node that was removed does not come back by itself.
    assertThat(first.vwAsAdmin("node", "remove", "n2", "--yes").text()).contains("n2 is ready");
    succeeds(first.vwAsAdmin("node", "remove", "n3", "--yes"));
    assertThat(cluster.agent("n3").runAgain()).isEqualTo(3);
    assertThat(cluster.agent("n3").log()).contains("join again with a new token");
    cluster.join("n3", 3, first, 1);
    soon(() -> assertThat(readyNodes(first)).containsExactly("n1", "n2", "n3", "n4"));
    assertThat(electors(first)).containsExactly("n1", "n2", "n4");
    assertThat(cluster.hasAuthority("n3")).isFalse();
    succeeds(first.vw("cordon", "n3"));

    // Only an elector is believed about its callers.
    var refused =
        cluster
            .agent("n3")
            .vwAsAdmin("auth", "create-token", "x", "--grant", "viewer", "--ttl", "1h");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.text()).contains("it is no elector");
    write(first, "after-removal");
    assertRun(processes);

    // Down to one node; the leader leaves too.
    succeeds(cluster.agent("n4").vwAsAdmin("node", "leave", "--yes"));
    assertThat(cluster.agent("n4").awaitEnd()).isEqualTo(3);
    soon(() -> assertThat(electors(first)).containsExactly("n1", "n2", "n3"));
    succeeds(first.vwAsAdmin("node", "leave", "--yes"));
    assertThat(first.awaitEnd()).isEqualTo(3);
    var second = cluster.agent("n2");
    soon(() -> assertThat(leader(second)).isIn("n2", "n3"));
    soon(() -> assertThat(electors(second)).hasSize(1));
    assertRun(processes);
    var elector = electors(second).get(0);
    var name = elector.equals("n2") ? "n3" : "n2";
    var last = cluster.agent(elector);
    soon(() -> write(last, "with-two"));
    var other = cluster.agent(name);
    soon(() -> assertThat(leader(other)).isEqualTo(elector));
    succeeds(other.vwAsAdmin("node", "leave", "--yes"));
    assertThat(other.awaitEnd()).isEqualTo(3);
    soon(() -> succeeds(last.vw("cordon", elector)));
    assertThat(electors(last)).containsExactly(elector);
    assertThat(last.object("nodes", name).path("spec").isMissingNode()).isTrue();
    for (var token : List.of("with-four", "after-loss", "after-removal", "with-two")) {
      succeeds(last.vwAsAdmin("get", "accesstokens", token));
    }
    assertRun(processes);
  }

  @Test
  void nodesAreRenamedWhileTheirProcessesRun() throws Exception {
    var processes = pids(first);
    var third = cluster.agent("n3");

    succeeds(first.vwAsAdmin("node", "rename", "n3", "web-3"));

    soon(() -> assertThat(readyNodes(first)).containsExactly("n1", "n2", "web-3"));
    soon(() -> assertThat(electors(first)).containsExactly("n1", "n2", "web-3"));
    var renamed = new TreeMap<String, Long>();
    processes.forEach((slot, pid) -> renamed.put(slot.replace("@n3 ", "@web-3 "), pid));
    soon(() -> assertThat(pids(first)).isEqualTo(renamed));
    assertThat(first.vwAsAdmin("node", "rename", "n2", "web-3").text())
        .contains("there is a node web-3 already");

    // The name is kept by a restart with the old flag. The leader can be renamed too.
    third.killHard();
    third.startAgain();
    soon(() -> assertThat(readyNodes(third)).containsExactly("n1", "n2", "web-3"));
    soon(() -> assertThat(leader(third)).isEqualTo("n1"));
    succeeds(third.vwAsAdmin("node", "rename", "n1", "web-1"));
    for (var agent : cluster.agents()) {
      soon(() -> assertThat(readyNodes(agent)).containsExactly("n2", "web-1", "web-3"));
    }
    soon(() -> assertThat(electors(third)).containsExactly("n2", "web-1", "web-3"));
    soon(() -> write(third, "after-renames"));
    assertRun(processes);
  }

  @Test
  void oneNodeGoesOnAfterTheOthersWereLost() throws Exception {
    var processes = pids(first);
    assertThat(first.vwAsAdmin("cluster", "recover", "--yes").text()).contains("has a leader");
    succeeds(first.vw("cordon", "n1"));
    for (var name : List.of("n2", "n3")) {
      cluster.agent(name).killHard();
    }
    soon(() -> assertThat(leader(first)).isEmpty());

    var recovered = first.vwAsAdmin("cluster", "recover", "--yes");
    succeeds(recovered);
    assertThat(recovered.text()).contains("n2, n3");

    soon(() -> assertThat(leader(first)).isEqualTo("n1"));
    soon(() -> assertThat(electors(first)).containsExactly("n1"));
    assertThat(first.object("nodes", "n1").at("/spec/cordoned").asBoolean()).isTrue();
    soon(() -> succeeds(first.vw("uncordon", "n1")));
    assertThat(cluster.agent("n2").runAgain()).isEqualTo(3);
    cluster.join("n2", 2, first, 1);
    soon(() -> assertThat(readyNodes(first)).containsExactly("n1", "n2"));
    assertRun(processes);
  }
}
