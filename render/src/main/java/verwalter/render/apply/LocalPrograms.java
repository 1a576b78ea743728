package verwalter.render.apply;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Runs programs on this machine. Each runs in its own session and process group, without input, in
 * {@code /}, and with only {@code PATH}, {@code HOME} and {@code LANG} in its environment. Blocks.
 */
public final class LocalPrograms implements Programs {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "HOME", "/",
          "LANG", "C.UTF-8");

  /**
   * The interval at which output is read while a program runs. Its exit is noticed at once. A
   * blocking reader would wait for every child that inherited the pipe, and a full pipe stops the
   * program.
   */
  private static final long SLICE_MILLIS = 20;

  private static final int KILLS = 50;

  private final Map<String, String> environment;
  private final Duration timeout;
  private final LongSupplier nanoTime;

  /**
   * @param environment source of {@code PATH}, {@code HOME} and {@code LANG}
   * @param timeout after which a program is killed with its process group
   * @param nanoTime a monotonic clock, such as {@code System::nanoTime}
   */
  public LocalPrograms(Map<String, String> environment, Duration timeout, LongSupplier nanoTime) {
    this.environment = Map.copyOf(environment);
    this.timeout = timeout;
    this.nanoTime = nanoTime;
  }

  @Override
  public Outcome runAsRoot(List<String> argv) {
    return run(isRoot() ? argv : withSudo(argv));
  }

  /** The command that runs a program as root without asking for a password. */
  static List<String> withSudo(List<String> argv) {
    var elevated = new ArrayList<>(List.of("/usr/bin/sudo", "-n"));
    elevated.addAll(argv);
    return elevated;
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public Outcome run(List<String> argv) {
    var command = new ArrayList<>(List.of("setsid"));
    command.addAll(argv);
    var builder = new ProcessBuilder(command).redirectErrorStream(true).directory(new File("/"));
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().clear();
    DEFAULTS.forEach(
        (name, fallback) ->
            builder.environment().put(name, environment.getOrDefault(name, fallback)));
    try {
      return watch(builder.start());
    } catch (IOException e) {
      return new Outcome.NotStarted(String.valueOf(e.getMessage()));
    }
  }

  private Outcome watch(Process process) throws IOException {
    try (var stream = process.getInputStream()) {
      return watch(process, stream);
    }
  }

  private Outcome watch(Process process, InputStream stream) throws IOException {
    var output = new ProgramOutput();
    long start = nanoTime.getAsLong();
    try {
      while (true) {
        output.drain(stream);
        if (process.waitFor(SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
          output.drain(stream);
          return new Outcome.Exited(process.exitValue(), output.text());
        }
        if (nanoTime.getAsLong() - start >= timeout.toNanos()) {
          return killed(process, "it took longer than " + timeout.toSeconds() + " s", output);
        }
      }
    } catch (InterruptedException e) {
      var outcome = killed(process, "this process is stopping", output);
      Thread.currentThread().interrupt();
      return outcome;
    }
  }

  /**
   * Java cannot signal a process group, so the shell does. The group exists shortly after its first
   * process has started, so the first attempt may be too early.
   */
  private static Outcome killed(Process process, String reason, ProgramOutput output) {
    try {
      for (int i = 0; i < KILLS && process.isAlive(); i++) {
        var kill = new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- -" + process.pid());
        kill.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        kill.start().waitFor(5, TimeUnit.SECONDS);
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      if (process.isAlive()) {
        process.destroyForcibly().waitFor(1, TimeUnit.SECONDS);
      }
      output.drain(process.getInputStream());
    } catch (IOException e) {
      return new Outcome.Killed(reason + "; killing its group failed: " + e, output.text());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return process.isAlive()
        ? new Outcome.Killed(reason + "; but it is still running", output.text())
        : new Outcome.Killed(reason, output.text());
  }
}
