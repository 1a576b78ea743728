package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.readyNodes;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests three agents with the standard scheduler, of which one is lost and one is drained. The
 * clock of the node that is lost is six hours ahead.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class LostNodeTest {
  private static final String SCHEDULER =
      """
      local make_scheduler = require("verwalter/scheduler").make_scheduler
      return {scheduler = make_scheduler(function(state)
        local wanted = {}
        for name in pairs(state.roles) do wanted[name] = {worker = 3} end
        return wanted
      end)}
      """;

  private static final String RECIPE =
      """
      templates:
        processes: processes.yaml.j2
      commands:
      - !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
      """;

  private static final String PROCESSES =
      """
      {%- for name, daemon in daemons.items() %}
      "{{ name }}":
        kind: Daemon
        image: "{{ daemon.image }}"
        config: "{{ daemon.config }}"
        instances: {{ daemon.instances }}
        variables: {version: v1}
      {%- endfor %}
      """;

  /** Reacts after five seconds. */
  private static final String FAST = "fast";

  /** Reacts after a minute. */
  private static final String SLOW = "slow";

  @TempDir private Path root;
  private LaunchedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        new LaunchedCluster(root, LostNodeTest::configure).with("n3", FakeClock.shifted("+6h"));
    var first = cluster.startFirst();
    soon(() -> assertThat(pids(first)).hasSize(6));
    cluster.foundAndJoin();
    soon(() -> assertThat(running(first, any -> true)).hasSize(6));
    for (var role : List.of(FAST, SLOW)) {
      for (var node : List.of("n1", "n2", "n3")) {
        soon(() -> assertThat(running(first, role + "@" + node)).hasSize(1));
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private static void configure(Site site) throws IOException {
    site.write("scheduler/v1/main.lua", SCHEDULER);
    site.write("templates/app/v1/app.render.yaml", RECIPE);
    site.write("templates/app/v1/processes.yaml.j2", PROCESSES);
    for (var role : List.of(FAST, SLOW)) {
      site.version(role, "v1", 1);
      site.write(
          "runtime/" + role + "/v1.yaml",
          """
          template: app/v1
          daemons:
            worker: {image: %s-v1, config: /config/worker.yaml}
          """
              .formatted(role));
    }
    site.write("runtime/" + FAST + "/settings.yaml", "node_loss_policy: critical\n");
    site.write("runtime/" + SLOW + "/settings.yaml", "node_loss_policy: 60s\n");
  }

  /** The processes that an agent knows and that run, by role, node and slot. */
  private static Map<String, Long> running(LaunchedAgent agent, Predicate<String> which) {
    var running = new TreeMap<>(pids(agent));
    running.keySet().removeIf(slot -> !which.test(slot));
    running.values().removeIf(pid -> !Processes.alive(pid));
    return running;
  }

  private static Map<String, Long> running(LaunchedAgent agent, String instance) {
    return running(agent, slot -> slot.startsWith(instance + " "));
  }

  /** The roles in the share of the lost node. */
  private static List<String> scheduled(LaunchedAgent agent) {
    var roles = new ArrayList<String>();
    agent.object("nodeschedules", "n3").at("/spec/roles").fieldNames().forEachRemaining(roles::add);
    return roles;
  }

  private static boolean isElsewhere(String slot, String role) {
    return slot.startsWith(role + "@") && !slot.startsWith(role + "@n3 ");
  }

  /**
   * The agent of a node ends, and its processes go on. One role reacts: its process runs elsewhere,
   * so the agent stops the old one when it returns. The other role does not react yet: the agent
   * adopts its process.
   */
  @Test
  void rolesReactToALostNodeAfterTheirOwnTime() throws Exception {
    var first = cluster.agent("n1");
    var lost = cluster.agent("n3");
    var slow = running(first, SLOW + "@n3");
    var elsewhere = running(first, slot -> !slot.contains("@n3 "));
    var fast = running(first, FAST + "@n3");
    lost.killHard();

    soon(() -> assertThat(running(first, slot -> isElsewhere(slot, FAST))).hasSize(3));

    assertThat(fast.values()).allMatch(Processes::alive);
    assertThat(running(first, slot -> isElsewhere(slot, SLOW))).hasSize(2);
    assertThat(readyNodes(first)).containsExactly("n1", "n2");
    soon(() -> assertThat(scheduled(first)).containsExactly(SLOW));
    lost.startAgain();
    soon(() -> assertThat(readyNodes(first)).containsExactly("n1", "n2", "n3"));
    assertThat(running(lost, SLOW + "@n3")).isEqualTo(slow);
    assertThat(running(first, any -> true)).containsAllEntriesOf(slow);
    soon(() -> assertThat(fast.values()).noneMatch(Processes::alive));
    soon(() -> assertThat(running(first, slot -> slot.startsWith(FAST + "@"))).hasSize(3));
    assertThat(elsewhere.values()).allMatch(Processes::alive);

    drains(first);
  }

  /** Draining waits for the processes elsewhere, and can be undone. */
  private static void drains(LaunchedAgent agent) throws Exception {
    var drained = agent.vw("drain", "n2", "--timeout", "60s");

    assertThat(drained.code()).as(drained.text()).isZero();
    assertThat(drained.text()).contains("node/n2 drained; undo: vw uncordon n2");
    assertThat(running(agent, slot -> slot.contains("@n2 "))).isEmpty();
    for (var role : List.of(FAST, SLOW)) {
      assertThat(running(agent, slot -> slot.startsWith(role + "@"))).hasSizeGreaterThan(2);
    }
    soon(() -> assertThat(running(agent, any -> true)).hasSize(6));
    assertThat(agent.vw("uncordon", "n2").code()).isZero();
    soon(() -> assertThat(running(agent, slot -> slot.contains("@n2 "))).isNotEmpty());
  }
}
