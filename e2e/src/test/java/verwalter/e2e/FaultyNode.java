package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static verwalter.e2e.FaultyCluster.soon;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** An agent in a network namespace, and processes that keep a journal. */
final class FaultyNode {
  private static final Pattern LEADER = Pattern.compile("leader=\"([^\"]+)\"");

  /** The size of the file system of a node's storage. */
  private static final String DISK = "512m";

  /** The limit of a request, longer than an agent waits for a majority. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: [%s, %s, "@{version}"]
      restart-timeout: 1
      kill-timeout: 2
      variables:
        version: !DottedName
      """;

  private final FaultyNetwork network;
  private final int number;
  private final Path root;
  private final Site site;
  private final ProcessJournal journal;
  private final SocketClient client;
  private Process agent;

  private FaultyNode(FaultyNetwork network, int number, Path root, Site site) throws IOException {
    this.network = network;
    this.number = number;
    this.root = root;
    this.site = site;
    Files.createDirectories(storage());
    FaultyNetwork.run("mount", "-t", "tmpfs", "-o", "size=" + DISK, "tmpfs", storage().toString());
    this.journal = new ProcessJournal(root.resolve("journal"));
    this.client = new SocketClient(storage().resolve("verwalter.sock"));
  }

  /**
   * Creates the files of a node.
   *
   * @param scheduler the scheduler, which must use the template {@code app/v1}
   * @param roles names of roles, each with a version {@code v1}
   */
  static FaultyNode in(
      FaultyNetwork network, int number, Path root, String scheduler, List<String> roles)
      throws IOException {
    var node = new FaultyNode(network, number, root, Site.in(root));
    node.site.write("scheduler/v1/main.lua", scheduler);
    var program = root.resolve("program.sh");
    Files.writeString(program, ProcessJournal.PROGRAM);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (var role : roles) {
      node.site.version(role, "v1", 1);
      node.site.write("runtime/" + role + "/settings.yaml", "{}\n");
      node.site.write(
          "lithos/images/" + role + "-v1/config/worker.yaml",
          CONTAINER.formatted(program, node.journal.file()));
    }
    return node;
  }

  /** Creates a node with a copy of an example, whose processes keep no journal. */
  static FaultyNode ofExample(FaultyNetwork network, int number, Path root, String example)
      throws IOException {
    var original = LaunchedAgent.HOME.resolve("examples").resolve(example);
    return new FaultyNode(network, number, root, Site.copyOf(original, root));
  }

  /** Its configuration directory. */
  Site site() {
    return site;
  }

  /** Writes a setting of a role. */
  FaultyNode setting(String role, String name, String value) throws IOException {
    site.write("runtime/%s/%s.yaml".formatted(role, name), value + "\n");
    return this;
  }

  String name() {
    return "n" + number;
  }

  int number() {
    return number;
  }

  Path storage() {
    return root.resolve("storage");
  }

  ProcessJournal journal() {
    return journal;
  }

  SocketClient client() {
    return client;
  }

  private List<String> launcher(String... first) {
    var command = new ArrayList<>(network.inside(number));
    command.add(LaunchedAgent.HOME.resolve("verwalter").toString());
    command.addAll(List.of(first));
    command.add("--config-dir=" + site.config());
    command.add("--storage-dir=" + storage());
    command.add("--log-dir=" + root.resolve("log"));
    command.add("--hostname=" + name());
    command.add("--override-machine-id=%032x".formatted(number));
    return command;
  }

  /** Makes this the first node of a cluster. */
  void found() throws IOException, InterruptedException {
    complete(launcher("join", "--address=" + FaultyNetwork.address(number)));
  }

  /** Joins the cluster of another node, and starts the agent. */
  void join(FaultyNode member, String token) {
    try {
      complete(
          launcher(
              "join",
              FaultyNetwork.address(member.number),
              "--token=" + token,
              "--address=" + FaultyNetwork.address(number)));
      start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** Sends the scheduler an action, again until the node accepts it. */
  void act(String token) {
    soon(
        () ->
            assertThat(client.post("/v1/action", Map.of("token", token), LIMIT).accepted())
                .isTrue());
  }

  /** How often the schedule that this node shows has counted an action. */
  int count(String token) {
    return client.object("schedules", "current").at("/spec/data/state/counts/" + token).asInt();
  }

  /** Creates a join token. */
  String token(int uses) throws IOException, InterruptedException {
    return vw("token", "create", "--uses=" + uses).lines().findFirst().orElseThrow();
  }

  /** The output of {@code vw}, which must succeed. */
  String vw(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(LaunchedAgent.HOME.resolve("vw").toString());
    command.add("--server=unix:" + storage().resolve("verwalter.sock"));
    command.addAll(List.of(words));
    return complete(command);
  }

  private static String complete(List<String> command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(command + ": " + text);
    }
    return text;
  }

  /** Starts the agent. */
  void start() throws IOException {
    var builder = new ProcessBuilder(launcher());
    builder.environment().put("VERWALTER_LOG", "info");
    agent =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("agent.log").toFile()))
            .start();
  }

  /** Waits until the agent answers. */
  void awaitAnswer() {
    await()
        .alias(name() + " answers")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !agent.isAlive() || client.get("/healthz", Duration.ofSeconds(2)).accepted());
    if (!agent.isAlive()) {
      throw new AssertionError("the agent of " + name() + " has ended:\n" + log());
    }
  }

  boolean isRunning() {
    return agent != null && agent.isAlive();
  }

  /** The output of the agent. */
  String log() {
    try {
      return Files.readString(root.resolve("agent.log"));
    } catch (IOException absent) {
      return "";
    }
  }

  /** The leader that this node knows, by name. */
  Optional<String> leader() {
    var view =
        client
            .get("/apis/verwalter.io/v1/accesstokens", Duration.ofMillis(1500))
            .headers()
            .getOrDefault("verwalter-view", "");
    var leader = LEADER.matcher(view);
    return leader.find() ? Optional.of(leader.group(1)) : Optional.empty();
  }

  /** Kills the agent with SIGKILL. */
  void killAgent() throws InterruptedException {
    agent.destroyForcibly().waitFor();
  }

  /** Kills the agent and all processes of the node with SIGKILL. */
  void killAll() throws IOException, InterruptedException {
    journal.killing();
    killAgent();
    for (var pids = network.pids(number); !pids.isEmpty(); pids = network.pids(number)) {
      pids.forEach(Processes::kill);
    }
  }

  private Path ballast() {
    return storage().resolve("ballast");
  }

  /** Fills the file system of the node's storage. */
  void fillDisk() throws IOException {
    var block = new byte[4096];
    try (var file = Files.newOutputStream(ballast())) {
      while (true) {
        file.write(block);
      }
    } catch (IOException full) {
      if (Files.getFileStore(storage()).getUsableSpace() > 0) {
        throw full;
      }
    }
  }

  /** Frees what {@link #fillDisk} has filled. */
  void freeDisk() throws IOException {
    Files.delete(ballast());
  }

  /** Starts the agent if it has ended, as a supervisor does. */
  void supervise() throws IOException {
    if (!agent.isAlive()) {
      start();
    }
  }

  /** Sends a signal to the agent. */
  void signal(String name) throws IOException, InterruptedException {
    if (new ProcessBuilder("kill", "-" + name, "" + agent.pid()).start().waitFor() != 0) {
      throw new IOException("the agent of " + name() + " does not run");
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
