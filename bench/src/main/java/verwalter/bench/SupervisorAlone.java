package verwalter.bench;

import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import verwalter.agent.VertxLoop;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.embedded.EmbeddedSupervisor;
import verwalter.supervisor.embedded.Settings;
import verwalter.supervisor.lithos.Layout;

/**
 * The embedded supervisor without an agent, for {@code supervisors.py}: opens it on a directory,
 * writes a file {@code ready}, and runs the programs when a file {@code go} appears.
 */
public final class SupervisorAlone {
  private static final String SANDBOX =
      """
      image-dir: %s
      allow-users: [0-65534]
      allow-groups: [0-65534]
      default-user: 0
      """;

  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "%s"]
      restart-timeout: 1
      kill-timeout: 2
      """;

  /** Arguments: directory, shell text of the program, number of programs. */
  public static void main(String[] arguments) throws Exception {
    var root = Path.of(arguments[0]);
    var images = Files.createDirectories(root.resolve("images"));
    Files.createDirectories(images.resolve("sleep/config"));
    Files.writeString(images.resolve("sleep/config/c.yaml"), CONTAINER.formatted(arguments[1]));
    var sandboxes = Files.createDirectories(root.resolve("sandboxes"));
    Files.writeString(
        images.resolve("sleep/config/quiet.yaml"), CONTAINER.formatted("exec sleep 86400"));
    for (var sandbox : List.of("before", "bench")) {
      Files.writeString(sandboxes.resolve(sandbox + ".yaml"), SANDBOX.formatted(images));
    }
    var loop = new VertxLoop(Vertx.vertx(), InstantSource.system());
    var supervisor =
        EmbeddedSupervisor.open(
            new Layout(
                sandboxes,
                root.resolve("processes"),
                root.resolve("run"),
                root.resolve("log"),
                java.util.Optional.empty()),
            loop,
            Thread::new,
            Settings.standard());
    // As in an agent that has run for a while. The program of this process prints
    // nothing, so the script does not count it.
    supervisor.run("before", Map.of("p", entry("/config/quiet.yaml", 1)));
    try (var watch = root.getFileSystem().newWatchService()) {
      root.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      while (running(supervisor) == 0) {
        Thread.onSpinWait();
      }
      Files.createFile(root.resolve("ready"));
      while (!Files.exists(root.resolve("go"))) {
        watch.take().reset();
      }
    }
    supervisor.run("bench", Map.of("p", entry("/config/c.yaml", Integer.parseInt(arguments[2]))));
  }

  private static ProcessSpec entry(String config, int instances) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, "sleep", config, instances, Map.of(), List.of(), List.of());
  }

  private static long running(EmbeddedSupervisor supervisor) {
    return supervisor.processes("before").stream()
        .flatMap(List::stream)
        .filter(slot -> slot.state() == ProcessGroup.State.RUNNING)
        .count();
  }

  private SupervisorAlone() {}
}
