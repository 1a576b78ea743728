package verwalter.supervisor.embedded;

import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.lithos.Layout;

/** A directory with sandboxes and images, and a supervisor on it. */
final class Site implements AutoCloseable {
  final Path base;
  final Layout layout;
  Settings settings = Settings.standard();
  RealLoop loop = new RealLoop();

  @SuppressWarnings("NullAway.Init") // set by open()
  EmbeddedSupervisor supervisor;

  Site(Path base) {
    this.base = base;
    this.layout = Layout.in(base);
    sandbox("shop", "");
  }

  void sandbox(String name, String more) {
    write(
        "sandboxes/" + name + ".yaml",
        "image-dir: ../images\nallow-users: [0-65535]\nallow-groups: [0-65535]\n"
            + "default-user: 0\nallow-tcp-ports: [8000-8999]\n"
            + more);
  }

  /** An image with a script as its program and {@code more} lines of configuration. */
  void image(String name, String script, String more) {
    write("images/" + name + "/run", "#!/bin/sh\n" + script + "\n");
    try {
      Files.setPosixFilePermissions(
          base.resolve("images/" + name + "/run"), PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    write("images/" + name + "/config.yaml", "executable: /run\n" + more);
  }

  void write(String path, String text) {
    try {
      var file = base.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  String read(String path) {
    try {
      return Files.readString(base.resolve(path));
    } catch (IOException missing) {
      return "";
    }
  }

  static ProcessSpec entry(String image, int instances) {
    return entry(image, instances, Map.of());
  }

  static ProcessSpec entry(String image, int instances, Map<String, String> variables) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, image, "/config.yaml", instances, variables, List.of(), List.of());
  }

  EmbeddedSupervisor open() {
    try {
      supervisor = EmbeddedSupervisor.open(layout, loop, RealLoop::daemon, settings);
      return supervisor;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Kills the agent and starts another one. */
  void reopen() {
    done(supervisor.shutdown());
    loop.close();
    loop = new RealLoop();
    open();
  }

  static <V> V done(Future<V> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(failed);
    } catch (InterruptedException | TimeoutException failed) {
      throw new AssertionError(failed);
    }
  }

  void run(Map<String, ProcessSpec> processes) {
    done(supervisor.run("shop", processes));
  }

  List<Slot> slots() {
    return supervisor.processes("shop").orElse(List.of());
  }

  Slot slot(String name) {
    return slots().stream()
        .filter(slot -> slot.name().equals("shop/" + name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no slot " + name + " in " + slots()));
  }

  long pid(String name) {
    return slot(name).pid().orElseThrow(() -> new AssertionError("no pid: " + slot(name)));
  }

  Slot awaitSlot(String name, Predicate<Slot> wanted) {
    until(() -> slots().stream().anyMatch(s -> s.name().equals("shop/" + name) && wanted.test(s)));
    return slot(name);
  }

  void awaitRunning(int count) {
    until(
        () ->
            slots().size() == count
                && slots().stream().allMatch(slot -> slot.state() == State.RUNNING));
  }

  void until(Callable<Boolean> condition) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(15))
        .conditionEvaluationListener(null)
        .until(condition);
  }

  static boolean alive(long pid) {
    return Proc.stat(pid).filter(Proc.Stat::isAlive).isPresent();
  }

  static void kill9(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** Ends every process. */
  @Override
  public void close() {
    if (supervisor != null) {
      try {
        settings = settings.onExit(Settings.OnExit.STOP);
        reopen();
        done(supervisor.shutdown());
      } finally {
        loop.close();
      }
    }
  }
}
