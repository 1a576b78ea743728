package verwalter.agent;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import verwalter.agent.DemoView.Observed;
import verwalter.agent.DemoView.State;
import verwalter.files.FileAccess;

/**
 * {@code verwalter demo --nodes N}: several agents on this machine, each a process of its own that
 * the launcher starts, as one cluster. An agent that ends is started again after a while.
 */
final class DemoCluster {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration END = Duration.ofSeconds(30);

  /** A process has 5 s to end after a signal, and its shim takes a moment. */
  private static final Duration LAST = Duration.ofSeconds(10);

  /** The time before an agent that has ended is started again. */
  private static final Duration AGAIN = Duration.ofSeconds(20);

  /** The time without an answer after which a node is reported as silent. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  /** The longest path of a demo, for the paths of sockets below it. */
  private static final int LONGEST = 80;

  private final Path root;
  private final Path home;
  private final DemoClusterPorts ports;
  private final PrintWriter out;
  private final InstantSource clock;
  private final ShutdownSignal signal;
  private final List<DemoNode> nodes = new ArrayList<>();
  private final Map<String, Instant> ended = new HashMap<>();
  private final Map<String, Instant> heard = new HashMap<>();
  private final Set<String> starting = new HashSet<>();
  private final DemoView view = new DemoView();

  private DemoCluster(
      Path root, Path home, DemoClusterPorts ports, PrintWriter out, ShutdownSignal signal) {
    this.root = root;
    this.home = home;
    this.ports = ports;
    this.out = out;
    this.clock = InstantSource.system();
    this.signal = signal;
  }

  /**
   * Runs a cluster until a signal ends this process.
   *
   * @param root the directory of all nodes
   * @param first the port of the page of the first node; empty for a free one
   */
  static void run(Path root, int count, Optional<Integer> first, PrintWriter out) throws Exception {
    if (root.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "%s is too long for the sockets of the agents; give a shorter --dir".formatted(root));
    }
    var configs = new LinkedHashMap<String, Path>();
    IntStream.rangeClosed(1, count)
        .mapToObj(number -> "n" + number)
        .forEach(name -> configs.put(name, DemoNode.config(root.resolve(name))));
    var extra = root.resolve("n" + (count + 1));
    if (Files.exists(extra)) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "the demo in %s has more than %d nodes; give --nodes as before, or start over with --fresh"
              .formatted(root, count));
    }
    prepare(root, configs, out);
    for (var name : configs.keySet()) {
      new DemoNode(name, root.resolve(name), "", 0).killLeftOver();
    }
    try (var signal = new ShutdownSignal();
        var ports = DemoClusterPorts.claim(configs)) {
      var launcherHome = Path.of(System.getProperty("verwalter.home", ""));
      var demo = new DemoCluster(root, launcherHome, ports, out, signal);
      for (var name : configs.keySet()) {
        int port = first.isPresent() && name.equals("n1") ? first.get() : ports.http(name);
        demo.nodes.add(
            new DemoNode(name, root.resolve(name), "127.0.0.1:" + ports.cluster(name), port));
      }
      try {
        demo.start();
        demo.watch();
      } finally {
        demo.stop();
      }
    }
  }

  /** Removes the nodes of an earlier demo. */
  static void remove(Path root) throws IOException {
    for (int number = 1; Files.exists(root.resolve("n" + number)); number++) {
      var home = root.resolve("n" + number);
      new DemoNode("n" + number, home, "", 0).killLeftOver();
      Example.removeTree(home);
    }
    Files.deleteIfExists(root.resolve("leader"));
  }

  private static void prepare(Path root, Map<String, Path> configs, PrintWriter out)
      throws Exception {
    boolean copied = false;
    for (var config : configs.values()) {
      if (!Files.exists(config)) {
        FileAccess.PRIVATE.makeDirectories(config.resolveSibling("log"));
        Example.HELLO.copyTo(config);
        copied = true;
      }
    }
    out.println(
        copied
            ? "Copied the example to %s/n*/config.".formatted(root)
            : "Using your copies of the example in %s/n*/config (--fresh starts over)."
                .formatted(root));
    out.flush();
  }

  private void start() throws Exception {
    var first = nodes.get(0);
    writeEnvironment();
    if (!first.isMember()) {
      out.println("* n1 founds a cluster");
      out.flush();
      command(first, List.of("join", "--address=" + first.cluster()));
    }
    boolean founded = true;
    for (var node : nodes.subList(1, nodes.size())) {
      founded &= node.isMember();
    }
    start(first);
    if (!founded) {
      awaitReady(first);
      join(first);
    }
    for (var node : nodes) {
      if (!node.runs()) {
        start(node);
      }
    }
  }

  private void start(DemoNode node) throws IOException {
    int port = Integer.parseInt(node.server().replaceFirst(".*:", ""));
    starting.add(node.name());
    node.start(home.resolve("verwalter"), port);
    out.printf("* %s starts (pid %d)%n", node.name(), node.pid());
    out.flush();
  }

  private void join(DemoNode first) throws Exception {
    for (var node : nodes) {
      if (!node.isMember()) {
        out.println("* %s joins the cluster with a token".formatted(node.name()));
        out.flush();
        command(
            node,
            List.of(
                "join", first.cluster(), "--token=" + token(first), "--address=" + node.cluster()));
        start(node);
      }
    }
  }

  /** Runs a command of this program for a node, in this process. */
  static void command(DemoNode node, List<String> arguments) throws SetupFailed {
    var output = new StringWriter();
    var line = Main.commandLine();
    line.setOut(new PrintWriter(output)).setErr(new PrintWriter(output));
    var all = new ArrayList<>(arguments);
    all.addAll(node.flags());
    if (line.execute(all.toArray(String[]::new)) != ExitCode.OK.code()) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "%s cannot become a node of the cluster: %s"
              .formatted(node.name(), output.toString().strip()));
    }
  }

  /** Creates a join token as a user would. */
  private String token(DemoNode node) throws Exception {
    var errors = root.resolve("token.log").toFile();
    var process =
        new ProcessBuilder(
                home.resolve("vw").toString(),
                "--server=unix://" + node.socket(),
                "token",
                "create",
                "--ttl=10m")
            .redirectError(errors)
            .redirectInput(new File("/dev/null"))
            .start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "no join token can be created: " + Files.readString(errors.toPath()).strip());
    }
    Files.delete(errors.toPath());
    return text.lines().findFirst().orElse("");
  }

  private void awaitReady(DemoNode node) throws Exception {
    var end = clock.instant().plus(START);
    while (!isReady(node)) {
      if (!node.runs() || clock.instant().isAfter(end)) {
        throw failed(node);
      }
      if (signal.awaitEnd(LOOK)) {
        throw new SetupFailed(ExitCode.SETUP, "the demo was ended while it started");
      }
    }
  }

  private static boolean isReady(DemoNode node) {
    return node.get("/v1/cluster").isPresent()
        && node.get("/v1/election").filter(it -> it.getBoolean("is_leader", false)).isPresent();
  }

  private static SetupFailed failed(DemoNode node) throws IOException {
    return new SetupFailed(
        ExitCode.SETUP,
        "the agent of %s %s; the end of %s: %s"
            .formatted(
                node.name(),
                node.runs() ? "does not become ready" : "has ended",
                node.log(),
                node.lastWords()));
  }

  /** Variables for commands beside the demo. */
  private void writeEnvironment() throws IOException {
    var text = new StringBuilder("# Shell variables for commands beside the demo.\n");
    text.append("export VERWALTER_SERVER=")
        .append(nodes.get(nodes.size() - 1).server())
        .append('\n');
    nodes.forEach(node -> text.append(node.name()).append('=').append(node.server()).append('\n'));
    text.append("demo=").append(DemoCommand.quoted(root)).append('\n');
    text.append("web=http://127.0.0.1:").append(ports.web("n1")).append("/\n");
    DemoFile.replace(root.resolve("env"), text.toString());
  }

  private void watch() throws Exception {
    boolean complete = false;
    do {
      revive();
      view.lines(nodes.stream().map(this::sight).toList()).forEach(out::println);
      view.leader().ifPresent(this::point);
      if (!complete && everythingRuns()) {
        complete = true;
        out.println(DemoGuide.text(root, nodes, view.leader().orElse("n1")));
      }
      out.flush();
    } while (!signal.awaitEnd(LOOK));
  }

  /** A link to the directory of the leader, for commands. */
  private void point(String leader) {
    var link = root.resolve("leader");
    try {
      if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(Path.of(leader))) {
        return;
      }
      var next = root.resolve(".leader.next");
      Files.deleteIfExists(next);
      Files.createSymbolicLink(next, Path.of(leader));
      Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      out.println("! " + link + " cannot be written: " + failure);
    }
  }

  /** Starts agents that ended a while ago. */
  private void revive() throws IOException {
    var now = clock.instant();
    for (var node : nodes) {
      if (node.runs()) {
        ended.remove(node.name());
      } else if (!now.isBefore(ended.computeIfAbsent(node.name(), name -> now).plus(AGAIN))) {
        ended.remove(node.name());
        start(node);
      }
    }
  }

  private Observed sight(DemoNode node) {
    if (!node.runs()) {
      return new Observed(node.name(), node.pid(), State.ENDED, false, false);
    }
    if (node.isStopped()) {
      return new Observed(node.name(), node.pid(), State.STOPPED, false, false);
    }
    var election = node.get("/v1/election");
    if (election.isEmpty()) {
      return new Observed(node.name(), node.pid(), silent(node), false, true);
    }
    starting.remove(node.name());
    heard.put(node.name(), clock.instant());
    return new Observed(
        node.name(),
        node.pid(),
        State.ANSWERS,
        election.get().getBoolean("is_leader", false),
        election.get().getBoolean("is_stable", false));
  }

  private State silent(DemoNode node) {
    if (starting.contains(node.name())) {
      return State.STARTING;
    }
    var last = heard.getOrDefault(node.name(), Instant.EPOCH);
    return clock.instant().isAfter(last.plus(SILENCE)) ? State.SILENT : State.ANSWERS;
  }

  /** Whether each node has reported that its role runs, with processes that exist now. */
  private boolean everythingRuns() {
    var asked = nodes.stream().filter(node -> view.leader().equals(Optional.of(node.name())));
    return asked.findFirst().filter(this::everythingRuns).isPresent();
  }

  private boolean everythingRuns(DemoNode leader) {
    var instances = statuses(leader, "roleinstances");
    var groups = statuses(leader, "processgroups");
    return instances.size() == nodes.size()
        && instances.stream().allMatch(each -> "RUNNING".equals(each.getString("state")))
        && groups.size() == nodes.size()
        && groups.stream()
            .flatMap(group -> group.getJsonArray("processes", new JsonArray()).stream())
            .allMatch(slot -> exists((JsonObject) slot));
  }

  private static boolean exists(JsonObject slot) {
    return "RUNNING".equals(slot.getString("state"))
        && ProcessHandle.of(slot.getLong("pid", 0L)).isPresent();
  }

  private static List<JsonObject> statuses(DemoNode node, String plural) {
    return node.get("/apis/verwalter.io/v1/" + plural).stream()
        .flatMap(list -> list.getJsonArray("items", new JsonArray()).stream())
        .map(each -> ((JsonObject) each).getJsonObject("status", new JsonObject()))
        .toList();
  }

  /** Ends all agents, and then what still runs because its agent had ended before. */
  private void stop() throws IOException, InterruptedException {
    out.println();
    for (var node : nodes) {
      if (node.runs()) {
        out.printf("Stopping %s (pid %d) and its processes%n", node.name(), node.pid());
      }
    }
    out.flush();
    for (var node : nodes) {
      node.end();
    }
    for (var node : nodes) {
      node.awaitEnd(END);
    }
    for (var left : DemoPorts.processesBelow(root)) {
      out.printf("Stopping pid %d, which the agents left running%n", left.pid());
      left.destroy();
    }
    boolean stopped = true;
    for (var left : DemoPorts.processesBelow(root)) {
      try {
        left.onExit().get(LAST.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException running) {
        out.printf("pid %d still runs; kill it: kill -9 %d%n", left.pid(), left.pid());
        stopped = false;
      }
    }
    if (stopped) {
      out.println("Everything is stopped.");
    }
    out.flush();
  }
}
