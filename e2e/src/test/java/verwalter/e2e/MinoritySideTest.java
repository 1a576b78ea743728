package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.soon;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an agent that has lost the other two of its cluster, and their return.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class MinoritySideTest {
  /** Runs {@code moving} on the first node that is not lost, and other roles on all nodes. */
  private static final String SCHEDULER =
      """
      local json = require "verwalter/json"

      local function isLost(node)
        for _, role in pairs(node.lost or {}) do
          if role == "moving" then return true end
        end
        return false
      end

      local function schedule(input)
        local roles, nodes, first = json.object{}, json.object{}, input.current_host
        for name, node in pairs(input.nodes) do
          nodes[name] = {roles = json.object{}}
          if name < first and node.ready and not isLost(node) then first = name end
        end
        for role, metadata in pairs(input.runtime) do
          roles[role] = json.object{}
          for name, node in pairs(nodes) do
            if role ~= "moving" or name == first then
              node.roles[role] = {
                template = "app/v1",
                version = "v1",
                image = metadata.v1.image,
                count = metadata.v1.count,
              }
            end
          end
        end
        return json.encode{roles = roles, nodes = nodes, state = json.object{}}, ""
      end

      return {scheduler = schedule}
      """;

  /** The ports of a node: the cluster port, three of its elector, and one of the group. */
  private static final int PORTS = 5;

  @TempDir private Path root;
  private final Map<String, LaunchedAgent> agents = new TreeMap<>();
  private final int port = freePorts();

  @AfterEach
  void stop() throws Exception {
    for (var agent : agents.values()) {
      agent.close();
    }
  }

  private static int freePorts() {
    for (int first = 30_000; first < 32_000; first += PORTS) {
      if (areFree(first)) {
        return first;
      }
    }
    throw new IllegalStateException("no free ports");
  }

  private static boolean areFree(int first) {
    for (int node = 1; node <= 3; node++) {
      for (int each = first; each < first + PORTS; each++) {
        try (var socket = new ServerSocket()) {
          socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.15." + node), each));
        } catch (IOException taken) {
          return false;
        }
      }
    }
    return true;
  }

  private String address(int node) {
    return "127.0.15.%d:%d".formatted(node, port);
  }

  private static List<String> flags(int node) {
    return List.of("--hostname=n" + node, "--override-machine-id=%032x".formatted(node));
  }

  private Path home(int node) {
    return root.resolve("n" + node);
  }

  private Site site(int node) throws IOException {
    var site = Site.in(home(node));
    site.write("scheduler/v1/main.lua", SCHEDULER);
    for (var role : List.of("frozen", "moving", "ending")) {
      site.version(role, "v1", 1);
    }
    site.write("runtime/moving/minority_policy.yaml", "schedule\n");
    site.write("runtime/moving/node_loss_policy.yaml", "critical\n");
    site.write("runtime/ending/minority_policy.yaml", "stop_after: 4s\n");
    return site;
  }

  private LaunchedAgent start(int node) throws IOException {
    var agent = LaunchedAgent.start(home(node), site(node), flags(node).toArray(String[]::new));
    agents.put("n" + node, agent);
    return agent;
  }

  private void join(int node, String token) throws Exception {
    var site = site(node);
    var command =
        new ArrayList<>(
            List.of(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "join",
                address(1),
                "--token=" + token,
                "--address=" + address(node),
                "--config-dir=" + site.config(),
                "--storage-dir=" + home(node).resolve("storage"),
                "--log-dir=" + home(node).resolve("log")));
    command.addAll(flags(node));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    start(node);
  }

  /** The process ids of one node by role, as its agent knows them. */
  private Map<String, Long> pids(int node) {
    var pids = new TreeMap<String, Long>();
    for (var group : agents.get("n" + node).objects("processgroups")) {
      var name = group.path("metadata").path("name").asText();
      for (var slot : group.path("status").path("processes")) {
        if (name.endsWith("@n" + node) && slot.path("state").asText().equals("RUNNING")) {
          pids.put(name.substring(0, name.indexOf('@')), slot.path("pid").asLong());
        }
      }
    }
    return pids;
  }

  private void form() throws Exception {
    var first = start(1);
    var founded =
        first.vwAsAdmin(
            "cluster", "init", "--address", address(1), "--credentials", root.toString());
    assertThat(founded.code()).as(founded.text()).isZero();
    soon(() -> assertThat(first.text("/v1/cluster")).contains(address(1)));
    soon(() -> assertThat(first.vwAsAdmin("get", "nodes").text()).contains("n1"));
    var token = first.vwAsAdmin("token", "create", "--uses", "2");
    assertThat(token.code()).as(token.text()).isZero();
    var text = token.text().lines().findFirst().orElseThrow();
    join(2, text);
    join(3, text);
    soon(() -> assertThat(LaunchedCluster.electors(first)).containsExactly("n1", "n2", "n3"));
  }

  private static JsonNode schedule(LaunchedAgent agent) {
    return agent.object("schedules", "current");
  }

  @Test
  void aLoneNodeFollowsThePolicyOfEachRole() throws Exception {
    form();
    soon(() -> assertThat(pids(1)).containsOnlyKeys("ending", "frozen", "moving"));
    soon(() -> assertThat(pids(3)).containsOnlyKeys("ending", "frozen"));
    var before = pids(3);
    var moving = pids(1).get("moving");
    var third = agents.get("n3");

    agents.get("n1").killHard();
    agents.get("n2").killHard();

    soon(() -> assertThat(pids(3)).containsOnlyKeys("frozen", "moving"));
    assertThat(pids(3)).containsEntry("frozen", before.get("frozen"));
    assertThat(Processes.alive(before.get("ending"))).isFalse();
    assertThat(Processes.alive(moving)).as("a process of a node without an agent").isTrue();
    var cordoned = third.vw("cordon", "n1");
    assertThat(cordoned.code()).as(cordoned.text()).isNotZero();
    assertThat(cordoned.text()).contains("no majority");
    var alone = schedule(third).at("/spec/hash").asText();

    agents.get("n1").startAgain();
    agents.get("n2").startAgain();

    soon(() -> assertThat(third.log()).contains("is merged, "));
    soon(() -> assertThat(pids(3)).containsOnlyKeys("ending", "frozen"));
    assertThat(pids(3)).containsEntry("frozen", before.get("frozen"));
    soon(() -> assertThat(pids(1)).containsEntry("moving", moving));
    soon(() -> assertThat(schedule(third).at("/spec/parents").toString()).contains(alone));
    soon(() -> assertThat(third.vw("cordon", "n1").code()).isZero());
  }
}
