package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;

/** Agents n1, n2 and so on that form a cluster, each with a loopback address of its own. */
final class LaunchedCluster {
  /** Writes the files of a configuration directory. */
  @FunctionalInterface
  interface Configuration {
    void write(Site site) throws IOException;
  }

  private static final Pattern LEADER = Pattern.compile("\"leader\":\\{[^}]*\"name\":\"(\\w+)\"");

  /** The ports of a node: the cluster port, three of its elector, and one of its side. */
  private static final int PORTS = 5;

  /** The largest number of nodes. */
  private static final int MOST_NODES = 9;

  private final Path root;
  private final Configuration configuration;
  private final Map<String, Map<String, String>> environments = new TreeMap<>();
  private final Map<String, LaunchedAgent> agents = new TreeMap<>();
  private final int port;

  /** Creates a cluster without agents, whose state is below {@code root}. */
  LaunchedCluster(Path root, Configuration configuration) throws IOException {
    this.root = root;
    this.configuration = configuration;
    this.port = freePorts();
  }

  /** The first of several ports in a row that are free on the addresses of all nodes. */
  private static int freePorts() throws IOException {
    int begin = 20_000 + (int) (ProcessHandle.current().pid() % 2_000) * PORTS; // for parallel runs
    for (int first = begin; first < 30_000; first += PORTS) {
      if (areFree(first)) {
        return first;
      }
    }
    throw new IOException("no free ports");
  }

  private static boolean areFree(int first) {
    for (int node = 1; node <= MOST_NODES; node++) {
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

  /** Sets variables of the environment of the agent of a node that is not started yet. */
  LaunchedCluster with(String node, Map<String, String> environment) {
    environments.put(node, environment);
    return this;
  }

  LaunchedAgent agent(String name) {
    return agents.get(name);
  }

  List<LaunchedAgent> agents() {
    return List.copyOf(agents.values());
  }

  /** The directory of a node. */
  Path home(String name) {
    return root.resolve(name);
  }

  /** The cluster address of a node. */
  String address(int node) {
    return "127.0.0.%d:%d".formatted(node, port);
  }

  private static String[] flags(String name, int node) {
    return new String[] {
      "--hostname=" + name, "--override-machine-id=%032x".formatted(node),
    };
  }

  private Site site(String name) throws IOException {
    var site = Site.in(home(name));
    configuration.write(site);
    return site;
  }

  private LaunchedAgent start(String name, int node, String... more) throws IOException {
    var flags = new ArrayList<>(List.of(flags(name, node)));
    flags.addAll(List.of(more));
    var agent =
        LaunchedAgent.startIn(
            environments.getOrDefault(name, Map.of()),
            home(name),
            site(name),
            flags.toArray(String[]::new));
    agents.put(name, agent);
    return agent;
  }

  /**
   * Starts agents, makes a cluster of them, and waits until all are ready.
   *
   * @param processes the number of processes of each node
   */
  static LaunchedCluster of(int size, int processes, Path root, Configuration configuration)
      throws Exception {
    var cluster = new LaunchedCluster(root, configuration);
    try {
      var first = cluster.startFirst();
      soon(() -> assertThat(pids(first)).hasSize(processes));
      cluster.foundAndJoin();
      for (int node = 4; node <= size; node++) {
        cluster.join("n" + node, node, first, 1);
      }
      cluster.isReady(size);
      return cluster;
    } catch (Exception | Error failure) {
      cluster.close();
      throw failure;
    }
  }

  /**
   * Starts a cluster as {@link #of} does, with a service in one file and no scheduler of its own.
   *
   * @param service a service with one process on each node
   */
  static LaunchedCluster ofService(int size, Path root, String name, String service)
      throws Exception {
    return of(
        size,
        1,
        root,
        site -> {
          removeTree(site.config().resolve("scheduler"));
          Files.createDirectories(site.config().resolve("roles"));
          site.write("roles/" + name + ".yaml", service);
        });
  }

  private static void removeTree(Path directory) throws IOException {
    try (var tree = Files.walk(directory)) {
      for (var each : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** Waits until all nodes are ready, as each agent sees them. */
  void isReady(int size) {
    var names = IntStream.rangeClosed(1, size).mapToObj(node -> "n" + node).toList();
    for (var agent : agents.values()) {
      soon(() -> assertThat(readyNodes(agent)).isEqualTo(names));
    }
  }

  /** Requests over the unix socket of a node, whose callers are admins. */
  SocketClient socket(String name) {
    return new SocketClient(home(name).resolve("storage/verwalter.sock"));
  }

  /** Joins with a new token from an agent and starts. */
  void join(String name, int node, LaunchedAgent through, int address) throws Exception {
    var created = through.vwAsAdmin("token", "create");
    assertThat(created.code()).as(created.text()).isZero();
    join(name, node, created.text().lines().findFirst().orElseThrow(), address);
  }

  private void join(String name, int node, String token) throws Exception {
    join(name, node, token, 1);
  }

  private void join(String name, int node, String token, int through) throws Exception {
    type(
        name,
        node,
        "verwalter join %s --token=%s --address=%s"
            .formatted(address(through), token, address(node)));
  }

  /** Types a command on a new machine, and starts its agent. */
  void type(String name, int node, String line) throws Exception {
    var site = site(name);
    var command = new ArrayList<>(List.of(line.split(" ")));
    command.set(0, LaunchedAgent.HOME.resolve(command.get(0)).toString());
    command.addAll(
        List.of(
            "--config-dir=" + site.config(),
            "--storage-dir=" + home(name).resolve("storage"),
            "--log-dir=" + home(name).resolve("log")));
    command.addAll(List.of(flags(name, node)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    start(name, node);
  }

  /** Starts the first agent, without a cluster. */
  LaunchedAgent startFirst(String... more) throws IOException {
    return start("n1", 1, more);
  }

  /** Makes a cluster of the first agent, starts the others and waits until all are ready. */
  void foundAndJoin() throws Exception {
    var first = agents.get("n1");
    var before = pids(first);
    var founded =
        first.vwAsAdmin(
            "cluster", "init", "--address", address(1), "--credentials", root.toString());
    assertThat(founded.code()).as(founded.text() + first.log()).isZero();
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
    soon(() -> assertThat(electors(first)).containsExactly("n1", "n2", "n3"));
  }

  /** The names of the nodes that vote. */
  static List<String> electors(LaunchedAgent agent) {
    var names = new ArrayList<String>();
    for (var each : agent.json("/v1/cluster").path("members")) {
      if (each.path("elector").asBoolean()) {
        names.add(each.path("node").asText());
      }
    }
    names.sort(null);
    return names;
  }

  /** The names of the nodes that have no server of the log. */
  static List<String> observers(LaunchedAgent agent) {
    var names = new ArrayList<String>();
    for (var each : agent.json("/v1/cluster").path("members")) {
      if (!each.path("server").asBoolean(true)) {
        names.add(each.path("node").asText());
      }
    }
    names.sort(null);
    return names;
  }

  /** Whether a node has the files of a server of the log. */
  boolean hasServer(String name) {
    return Files.exists(home(name).resolve("storage/cluster/zookeeper"));
  }

  /** Whether a node has the key of the authority. */
  boolean hasAuthority(String name) {
    return Files.exists(home(name).resolve("storage/cluster/pki/authority.pem"));
  }

  /** Ends all agents and their processes. */
  void close() throws Exception {
    for (var agent : agents.values()) {
      agent.close();
    }
  }

  static void soon(ThrowingRunnable claim) {
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

  static List<String> readyNodes(LaunchedAgent agent) {
    return agent.objects("nodes").stream()
        .filter(LaunchedCluster::isReady)
        .map(node -> node.path("metadata").path("name").asText())
        .sorted()
        .toList();
  }

  /** The name of the leader; empty if the agent knows none that it can reach. */
  static String leader(LaunchedAgent agent) {
    var text = agent.text("/v1/status");
    var name = LEADER.matcher(text);
    return name.find() ? name.group(1) : "";
  }

  /**
   * The process ids of all nodes, as an agent knows them, by {@code ROLE@NODE SANDBOX/PROCESS.N}.
   */
  static Map<String, Long> pids(LaunchedAgent agent) {
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
}
