package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.electors;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.observers;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests nine nodes, four of which are observers, that become seven electors and three again while
 * writers are busy.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ObserverElectorsTest {
  /** Runs all roles on all nodes, and counts how often the request of each action was seen. */
  private static final String SCHEDULER =
      """
      local json = require "verwalter/json"

      local function schedule(input)
        local roles, nodes, counts = json.object{}, json.object{}, json.object{}
        for _, parent in ipairs(input.parents) do
          for token, count in pairs(parent.state.counts) do
            counts[token] = math.max(counts[token] or 0, count)
          end
        end
        for id, request in pairs(input.actions) do
          counts[request.token] = (counts[request.token] or 0) + 1
          answer(id, json.encode(request.token))
        end
        for role in pairs(input.runtime) do
          roles[role] = json.object{}
        end
        for host in pairs(input.nodes) do
          nodes[host] = {roles = json.object{}}
          for role in pairs(roles) do
            nodes[host].roles[role] =
              {template = "app/v1", version = "v1", image = role .. "-v1", count = 1}
          end
        end
        return json.encode{roles = roles, nodes = nodes, state = {counts = counts}}, ""
      end

      return {scheduler = schedule}
      """;

  private static final int SIZE = 9;

  @TempDir private Path root;
  private LaunchedCluster cluster;
  private LaunchedAgent first;
  private FaultWriter writer;

  @BeforeEach
  void form() throws Exception {
    cluster = LaunchedCluster.of(SIZE, 1, root, ObserverElectorsTest::configure);
    first = cluster.agent("n1");
    FaultWriter.createList(cluster.socket("n1"));
    writer = FaultWriter.start(cluster.socket("n1"), "writer");
  }

  @AfterEach
  void stop() throws Exception {
    if (writer != null) {
      writer.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void configure(Site site) throws IOException {
    site.write("scheduler/v1/main.lua", SCHEDULER);
    site.version("app", "v1", 1);
  }

  private static void succeeds(LaunchedAgent.Output output) {
    assertThat(output.code()).as(output.text()).isZero();
  }

  @Test
  void observersBecomeElectorsAndNoWriteIsLost() throws Exception {
    assertThat(observers(first)).containsExactly("n6", "n7", "n8", "n9");
    soon(() -> assertThat(pids(first)).hasSize(SIZE));
    var processes = new TreeMap<>(pids(first));
    soon(() -> assertThat(writer.hasWritten()).isTrue());

    // An elector that is lost for good is replaced by a spare, and the spare by an observer.
    var lost = leader(first).equals("n3") ? "n2" : "n3";
    succeeds(first.vwAsAdmin("node", "elect", "3", "--replace-after", "1s"));
    processes.keySet().removeIf(slot -> slot.contains("@" + lost + " "));
    cluster.agent(lost).close();
    soon(() -> assertThat(electors(first)).hasSize(3).contains("n4").doesNotContain(lost));
    soon(() -> assertThat(observers(first)).containsExactly("n7", "n8", "n9"));
    soon(() -> assertThat(cluster.hasServer("n6")).isTrue());
    succeeds(first.vwAsAdmin("node", "elect", "3", "--replace-after", "10m"));
    succeeds(first.vwAsAdmin("node", "remove", lost, "--yes", "--force"));
    processes.values().forEach(pid -> assertThat(Processes.alive(pid)).isTrue());

    // With seven electors all other nodes are spares, and remain so with three.
    succeeds(first.vwAsAdmin("node", "elect", "7"));
    soon(() -> assertThat(electors(first)).hasSize(7));
    soon(() -> assertThat(observers(first)).isEmpty());
    for (var name : List.of("n7", "n8", "n9")) {
      soon(() -> assertThat(cluster.hasServer(name)).isTrue());
      soon(() -> assertThat(leader(cluster.agent(name))).isEqualTo(leader(first)));
    }
    succeeds(first.vwAsAdmin("node", "elect", "3"));
    soon(() -> assertThat(electors(first)).hasSize(3));
    assertThat(observers(first)).isEmpty();

    // Nothing was lost.
    writer.stop();
    writer.close();
    for (var name : List.of("n1", "n4", "n7", "n9")) {
      soon(() -> assertThat(writer.faults(cluster.socket(name))).as("of " + name).isEmpty());
    }
    soon(() -> assertThat(pids(first)).isEqualTo(processes));
    assertThat(processes.values()).allMatch(Processes::alive);
  }
}
