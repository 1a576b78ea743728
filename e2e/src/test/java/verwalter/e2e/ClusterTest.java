package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests three agents that form a cluster, each with a loopback address of its own. */
class ClusterTest {
  /** Runs each role on all nodes. */
  private static final String SCHEDULER =
      """
      local json = require "verwalter/json"

      local function schedule(input)
        local roles, nodes = json.object{}, json.object{}
        local hosts = {[input.current_host] = true}
        for _, peer in pairs(input.peers) do
          hosts[peer.hostname] = true
        end
        for host in pairs(hosts) do
          nodes[host] = {roles = json.object{}}
        end
        for role, metadata in pairs(input.runtime) do
          roles[role] = json.object{}
          for host in pairs(hosts) do
            nodes[host].roles[role] = {
              template = "app/v1",
              version = "v1",
              image = metadata.v1.image,
              count = metadata.v1.count,
            }
          end
        end
        return json.encode{roles = roles, nodes = nodes, state = json.object{}}, ""
      end

      return {scheduler = schedule}
      """;

  private static final Pattern LEADER = Pattern.compile("\"leader\":\\{[^}]*\"name\":\"(\\w+)\"");

  /** The ports of a node: the cluster port and three of its elector. */
  private static final int PORTS = 4;

  @TempDir private Path root;
  private final Map<String, LaunchedAgent> agents = new TreeMap<>();
  private int port;

  @BeforeEach
  void choosePorts() throws IOException {
    port = freePorts();
  }

  @AfterEach
  void stop() throws Exception {
    for (var agent : agents.values()) {
      agent.close();
    }
  }

  /** The first of several ports in a row that are free on the addresses of all nodes. */
  private static int freePorts() throws IOException {
    for (int first = 20_000; first < 30_000; first += PORTS) {
      if (areFree(first)) {
        return first;
      }
    }
    throw new IOException("no free ports");
  }

  private static boolean areFree(int first) {
    for (int node = 1; node <= 3; node++) {
      for (int each = first; each < first + PORTS; each++) {
        if (!isFree("127.0.0." + node, each)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isFree(String host, int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private Path home(String name) {
    return root.resolve(name);
  }

  private String address(int node) {
    return "127.0.0.%d:%d".formatted(node, port);
  }

  private static String[] flags(String name, int node) {
    return new String[] {
      "--hostname=" + name, "--override-machine-id=%032x".formatted(node),
    };
  }

  private Site site(String name) throws IOException {
    var site = Site.in(home(name));
    site.write("scheduler/v1/main.lua", SCHEDULER);
    site.version("app", "v1", 2);
    return site;
  }

  private LaunchedAgent start(String name, int node) throws IOException {
    var agent = LaunchedAgent.start(home(name), site(name), flags(name, node));
    agents.put(name, agent);
    return agent;
  }

  private void join(String name, int node, String token) throws Exception {
    var site = site(name);
    var command =
        new ArrayList<>(
            List.of(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "join",
                address(1),
                "--token=" + token,
                "--address=" + address(node),
                "--config-dir=" + site.config(),
                "--storage-dir=" + home(name).resolve("storage"),
                "--log-dir=" + home(name).resolve("log")));
    command.addAll(List.of(flags(name, node)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    start(name, node);
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(claim);
  }

  private static boolean isReady(JsonNode node) {
    for (var condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private static List<String> readyNodes(LaunchedAgent agent) {
    return agent.objects("nodes").stream()
        .filter(ClusterTest::isReady)
        .map(node -> node.path("metadata").path("name").asText())
        .sorted()
        .toList();
  }

  /** The name of the leader; empty if the agent knows none that it can reach. */
  private static String leader(LaunchedAgent agent) {
    var text = agent.text("/v1/status");
    var name = LEADER.matcher(text);
    return name.find() ? name.group(1) : "";
  }

  /** The process ids of all nodes, as an agent knows them. */
  private static Map<String, Long> pids(LaunchedAgent agent) {
    var pids = new TreeMap<String, Long>();
    for (var group : agent.objects("processgroups")) {
      for (var slot : group.path("status").path("processes")) {
        if (slot.path("state").asText().equals("RUNNING")) {
          pids.put(
              group.path("metadata").path("name").asText() + " " + slot.path("name").asText(),
              slot.path("pid").asLong());
        }
      }
    }
    return pids;
  }

  private LaunchedAgent foundAndJoin() throws Exception {
    var first = start("n1", 1);
    soon(() -> assertThat(pids(first)).hasSize(2));
    var before = pids(first);
    var founded =
        first.vwAsAdmin(
            "cluster", "init", "--address", address(1), "--credentials", root.toString());
    assertThat(founded.code()).as(founded.text()).isZero();
    soon(() -> assertThat(first.text("/v1/cluster")).contains(address(1)));
    soon(() -> assertThat(readyNodes(first)).containsExactly("n1"));
    soon(() -> assertThat(pids(first)).isEqualTo(before));
    var token = first.vwAsAdmin("token", "create", "--uses", "2");
    assertThat(token.code()).as(token.text()).isZero();
    var text = token.text().lines().findFirst().orElseThrow();
    join("n2", 2, text);
    join("n3", 3, text);
    for (var agent : agents.values()) {
      soon(() -> assertThat(readyNodes(agent)).containsExactly("n1", "n2", "n3"));
    }
    for (var name : List.of("n2", "n3")) {
      soon(() -> assertThat(agents.get(name).log()).contains("added to the ensemble"));
    }
    return first;
  }

  @Test
  void anotherNodeLeadsWhenTheLeaderIsKilled() throws Exception {
    var first = foundAndJoin();
    assertThat(leader(first)).isEqualTo("n1");
    soon(() -> assertThat(pids(first)).hasSize(6));
    var processes = pids(first);
    var second = agents.get("n2");
    var cordoned = second.vw("cordon", "n3");
    assertThat(cordoned.code()).as(cordoned.text()).isZero();

    first.killHard();

    soon(() -> assertThat(leader(second)).isIn("n2", "n3"));
    assertThat(processes.values()).allMatch(Processes::alive);
    for (var name : List.of("n2", "n3")) {
      var agent = agents.get(name);
      soon(() -> assertThat(agent.object("nodes", "n3").at("/spec/cordoned").asBoolean()).isTrue());
    }
    soon(() -> assertThat(second.vw("uncordon", "n3").code()).isZero());

    first.startAgain();

    soon(
        () ->
            assertThat(first.object("nodes", "n3").at("/spec/cordoned").asBoolean(true)).isFalse());
    soon(() -> assertThat(pids(first)).isEqualTo(processes));
    assertThat(processes.values()).allMatch(Processes::alive);
  }
}
