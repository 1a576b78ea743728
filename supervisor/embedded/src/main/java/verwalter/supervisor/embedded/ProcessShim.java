package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts shims: small shells that outlive the agent and note how a program ended (see keeper.sh).
 *
 * @param script keeper.sh in the run directory
 * @param umask of programs, in octal digits
 * @param resetting words before a command that give it the default action of each signal; empty if
 *     the agent ignores none
 */
record ProcessShim(Path shell, Path setsid, Path script, String umask, List<String> resetting) {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessShim.class);
  private static final List<Path> PROGRAMS =
      List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/local/bin"));

  /** Writes the script and finds the programs that it needs. */
  static ProcessShim install(RunDirectory runs) throws IOException {
    var script = runs.path("keeper.sh");
    try (var text = ProcessShim.class.getResourceAsStream("keeper.sh")) {
      if (text == null) {
        throw new IOException("keeper.sh is missing from this program's jar");
      }
      runs.replace(script, new String(text.readAllBytes(), StandardCharsets.UTF_8));
    }
    // dash starts in half the time and memory of bash, and adds less to the environment.
    return new ProcessShim(
        find("dash", "sh"),
        find("setsid"),
        script,
        Machine.umask(),
        Machine.ignoresSignals() ? defaultSignals() : List.of());
  }

  /** Other programs than that of the GNU coreutils 8.31 do not have the option. */
  private static List<String> defaultSignals() throws IOException {
    var words = List.of(find("env").toString(), "--default-signal");
    var attempt = new ArrayList<>(words);
    attempt.add(find("true").toString());
    try {
      if (run(attempt) == 0) {
        return words;
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    LOG.warn("the agent ignores signals, and so do its programs: {} has no {}", words.toArray());
    return List.of();
  }

  /** The program of one of these names. */
  static Optional<Path> program(String... names) {
    return Stream.of(names)
        .flatMap(name -> PROGRAMS.stream().map(directory -> directory.resolve(name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path find(String... names) throws IOException {
    return program(names).orElseThrow(() -> missing(names));
  }

  private static IOException missing(String... names) {
    return new IOException(
        "there is no "
            + String.join(" or ", names)
            + " in "
            + PROGRAMS
            + "; install util-linux and dash");
  }

  /** Sends a signal, such as SIGINT, if the process still exists. */
  void signal(String signal, ProcessId process) {
    if (signal.equals("SIGTERM")) {
      Proc.terminate(process);
      return;
    }
    if (!Proc.isAlive(process)) {
      return;
    }
    try {
      var kill = "kill -s \"$1\" \"$2\"";
      new ProcessBuilder(
              shell.toString(), "-c", kill, "kill", signal.substring(3), "" + process.pid())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(10, TimeUnit.SECONDS);
    } catch (IOException failed) {
      LOG.warn("{} cannot be sent to process {}: {}", signal, process.pid(), failed.toString());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Starts one shim per run, all by one child process. {@code setsid -f} forks, so init adopts each
   * shim: the agent has no child and no JDK thread that waits.
   */
  void start(List<Path> runs) throws IOException, InterruptedException {
    var command = new ArrayList<>(resetting);
    if (runs.size() == 1) {
      command.addAll(List.of(setsid.toString(), "-f", shell.toString(), script.toString()));
    } else {
      var loop = "a=$1; b=$2; shift 2; for run do \"$0\" -f \"$a\" \"$b\" \"$run\"; done";
      command.addAll(
          List.of(
              shell.toString(),
              "-c",
              loop,
              setsid.toString(),
              shell.toString(),
              script.toString()));
    }
    runs.forEach(run -> command.add(run.toString()));
    int code = run(command);
    if (code != 0) {
      throw new IOException("setsid gave exit code " + code);
    }
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.directory(Path.of("/").toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    var process = builder.start();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      throw new IOException("starting shims takes longer than 10 s");
    }
    return process.exitValue();
  }
}
