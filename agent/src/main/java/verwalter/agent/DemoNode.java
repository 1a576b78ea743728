package verwalter.agent;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of a demo with several nodes: its directories, and its agent in a process of its own. */
final class DemoNode {
  private static final Duration ANSWER = Duration.ofSeconds(1);

  private final String name;
  private final Path home;
  private final String cluster;
  private int port;
  private @Nullable Process process;

  /**
   * Creates a node whose agent does not run.
   *
   * @param home the directory of all its files
   * @param cluster its cluster address
   * @param port of its page
   */
  DemoNode(String name, Path home, String cluster, int port) {
    this.name = name;
    this.home = home;
    this.cluster = cluster;
    this.port = port;
  }

  /** The directory of the copy of the example of a node. */
  static Path config(Path home) {
    return home.resolve("config");
  }

  String name() {
    return name;
  }

  /** Where its agent answers people, without a slash at the end. */
  String server() {
    return "http://127.0.0.1:" + port;
  }

  String cluster() {
    return cluster;
  }

  /** The unix socket of its agent. */
  Path socket() {
    return home.resolve("storage").resolve(LocalSocket.NAME);
  }

  /** The log of its agent. */
  Path log() {
    return home.resolve("agent.log");
  }

  /** Whether it is a member of a cluster. */
  boolean isMember() throws IOException {
    return ClusterFiles.in(home.resolve("storage")).member().isPresent();
  }

  /** The id of its machine, which no other node on this machine has. */
  String machine() {
    var id = UUID.nameUUIDFromBytes(home.toString().getBytes(StandardCharsets.UTF_8));
    return id.toString().replace("-", "");
  }

  /** The flags of its directories and of its name. */
  List<String> flags() {
    return List.of(
        "--config-dir=" + config(home),
        "--storage-dir=" + home.resolve("storage"),
        "--log-dir=" + home.resolve("log"),
        "--hostname=" + name,
        "--override-machine-id=" + machine());
  }

  /** Starts its agent with the launcher. */
  void start(Path launcher, int port) throws IOException {
    this.port = port;
    var command = new ArrayList<>(List.of(launcher.toString(), "--port=" + port));
    command.add("--on-exit=stop");
    command.addAll(flags());
    var started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    process = started;
    DemoFile.replace(pidFile(), started.pid() + "\n");
  }

  private Path pidFile() {
    return home.resolve("pid");
  }

  /** Kills the agent that a demo left behind when it was killed itself. */
  void killLeftOver() throws IOException {
    if (!Files.exists(pidFile())) {
      return;
    }
    long pid = Long.parseLong(Files.readString(pidFile()).strip());
    var storage = "--storage-dir=" + home.resolve("storage");
    var left = ProcessHandle.of(pid).filter(process -> commandLine(pid).contains(storage));
    if (left.isPresent()) {
      left.get().destroyForcibly();
      left.get().onExit().join();
    }
  }

  private static List<String> commandLine(long pid) {
    try {
      return List.of(Files.readString(Path.of("/proc", "" + pid, "cmdline")).split("\0", -1));
    } catch (IOException gone) {
      return List.of();
    }
  }

  /** The process id of its agent; 0 if it was not started. */
  long pid() {
    return process == null ? 0 : process.pid();
  }

  /** Whether the process of its agent exists. */
  boolean runs() {
    return process != null && process.isAlive();
  }

  /** Whether the process was stopped with a signal, and would continue after another one. */
  boolean isStopped() {
    try {
      var stat = Files.readString(Path.of("/proc", "" + pid(), "stat"));
      return stat.startsWith("T", stat.lastIndexOf(')') + 2);
    } catch (IOException gone) {
      return false;
    }
  }

  /** The answer of its agent to a GET, as JSON; empty without one. */
  Optional<JsonObject> get(String path) {
    try {
      var connection = (HttpURLConnection) URI.create(server() + path).toURL().openConnection();
      connection.setConnectTimeout((int) ANSWER.toMillis());
      connection.setReadTimeout((int) ANSWER.toMillis());
      try (var body = connection.getInputStream()) {
        return Optional.of(new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8)));
      }
    } catch (IOException | DecodeException silent) {
      return Optional.empty();
    }
  }

  /** The last line of the log of its agent. */
  String lastWords() throws IOException {
    if (!Files.exists(log())) {
      return "";
    }
    var lines = Files.readString(log()).strip().lines().toList();
    return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
  }

  /** Asks its agent to end, also if it is stopped. */
  void end() throws IOException, InterruptedException {
    var running = process;
    if (running != null && running.isAlive()) {
      running.destroy();
      new ProcessBuilder("/bin/sh", "-c", "kill -CONT " + running.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
  }

  /** Waits until its agent has ended, and kills it after a time. */
  void awaitEnd(Duration limit) throws InterruptedException {
    var running = process;
    if (running != null && !running.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      running.destroyForcibly().waitFor();
    }
  }
}
