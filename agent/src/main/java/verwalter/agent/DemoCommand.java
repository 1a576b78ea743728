package verwalter.agent;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import verwalter.files.FileAccess;

/** {@code verwalter demo}: an agent with the example configuration in a separate directory. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an example: a service in one file, with three web servers.",
      "It works on a copy of examples/first, which you may edit while it runs. With --example=hello"
          + " it is a copy of examples/hello: web servers and a worker with a scheduler, templates"
          + " and images of their own. Ctrl-C stops the agent and everything it started. Several"
          + " demos with different directories can run at the same time: each uses free ports, and"
          + " writes a file DIR/env with shell variables for its address, directory and first web"
          + " server.",
      "With --nodes it is a cluster of several agents with examples/hello, each with a directory"
          + " DIR/n1, DIR/n2, ... of its own, which join by themselves. It prints how to roll out a"
          + " version, kill the leader, and stop and continue a node. An agent that ends is started"
          + " again after 20 s."
    })
final class DemoCommand implements Callable<Integer> {
  private static final int MOST_NODES = 9;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of the page (of the first node), on 127.0.0.1; 0 for any. By default 8379, or a"
              + " free one from 8401 on.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the copy and the state go; ~/.local/state/verwalter/demo, with --example=hello"
              + " ~/.local/state/verwalter/demo-hello, with several nodes"
              + " ~/.local/state/verwalter/demo-cluster.")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--nodes",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description =
          "Agents of the demo, 1 to 9; three or more survive the loss of one. ${DEFAULT-VALUE}.")
  private int nodes = 1;

  @Option(
      names = "--example",
      paramLabel = "NAME",
      description =
          "The example: ${COMPLETION-CANDIDATES}. By default first; several nodes run hello.")
  private Optional<Example> example = Optional.empty();

  @Option(names = "--fresh", description = "Removes the copy and the state of an earlier demo.")
  private boolean fresh;

  @Override
  public Integer call() throws Exception {
    var out = spec.commandLine().getOut();
    if (nodes < 1 || nodes > MOST_NODES) {
      throw new SetupFailed(
          ExitCode.USAGE, "--nodes takes a number from 1 to %d".formatted(MOST_NODES));
    }
    if (nodes > 1 && example.filter(it -> it != Example.HELLO).isPresent()) {
      throw new SetupFailed(ExitCode.USAGE, "several nodes run --example=hello only");
    }
    var root =
        directory.orElseGet(() -> home(System.getenv()).resolve(subdirectory())).toAbsolutePath();
    FileAccess.PRIVATE.makeDirectories(root);
    try (var file = FileAccess.PRIVATE.open(root.resolve("lock"), CREATE, WRITE);
        var lock = file.tryLock()) {
      if (lock == null) {
        throw new SetupFailed(
            ExitCode.SETUP, "another demo uses %s; stop it, or give another --dir".formatted(root));
      }
      return nodes == 1 ? run(root, out) : runCluster(root, out);
    }
  }

  private Integer runCluster(Path root, PrintWriter out) throws Exception {
    if (fresh) {
      DemoCluster.remove(root);
    }
    DemoCluster.run(root, nodes, port, out);
    return ExitCode.OK.code();
  }

  private Integer run(Path root, PrintWriter out) throws Exception {
    var config = root.resolve("config");
    if (fresh) {
      for (var part : List.of("config", "storage", "log", "env")) {
        Example.removeTree(root.resolve(part));
      }
    }
    var runs = example.orElse(Example.FIRST);
    if (Files.exists(config)) {
      runs.requireIn(config);
      out.println("Using your copy of the example in " + config + " (--fresh starts over).");
    } else {
      runs.copyTo(config);
      out.println("Copied the example to " + config + ".");
    }
    var settings = new Settings();
    settings.configDir = Optional.of(config);
    settings.storageDir = Optional.of(root.resolve("storage"));
    settings.logDir = Optional.of(root.resolve("log"));
    settings.machineId = Optional.of(machineId(root));
    settings.onExit = Settings.OnExit.stop;
    try (var ports = DemoPorts.claim(runs, config)) {
      settings.port = port.isPresent() ? port.get() : ports.http();
      return run(settings, ports, root, out);
    }
  }

  private static Integer run(Settings settings, DemoPorts ports, Path root, PrintWriter out)
      throws Exception {
    try (var signal = new ShutdownSignal();
        var daemon = Daemon.start(settings, signal::restart)) {
      var environment = root.resolve("env");
      var server = daemon.address().replaceFirst("/$", "");
      DemoFile.replace(
          environment,
          """
          # Shell variables for commands beside the demo.
          export VERWALTER_SERVER=%s
          demo=%s
          web=http://127.0.0.1:%d/
          """
              .formatted(server, quoted(root.resolve("config")), ports.web()));
      out.println();
      out.println("Type this in another terminal, so that ./vw uses " + server + ":");
      out.println("  . " + quoted(environment));
      out.println();
      var progress = new Progress(daemon.store(), out, daemon.address(), () -> {});
      daemon.watch(progress);
      out.flush();
      while (signal.awaitRestart()) {
        out.println("A demo does not start its parts again; end it, and start it once more.");
      }
      progress.stopping();
    }
    out.println("Everything is stopped.");
    out.flush();
    return ExitCode.OK.code();
  }

  /** A path as one word of a shell. */
  static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }

  /**
   * A generated machine id, since a container or a minimal Debian has no {@code /etc/machine-id}.
   */
  private static String machineId(Path root) {
    return UUID.nameUUIDFromBytes(root.toString().getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }

  private String subdirectory() {
    if (nodes > 1) {
      return "demo-cluster";
    }
    return example.orElse(Example.FIRST) == Example.FIRST ? "demo" : "demo-hello";
  }

  /** The directory of this program in the user's directory of states. */
  private static Path home(Map<String, String> environment) {
    var state = environment.getOrDefault("XDG_STATE_HOME", "");
    var base =
        state.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "/tmp"), ".local", "state")
            : Path.of(state);
    return base.resolve("verwalter");
  }
}
