package verwalter.supervisor.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command that runs beside a process. It has a session of its own, and its processes have a mark,
 * by which those are found that left the session. Each stream is used by one thread; the other
 * methods are thread-safe.
 */
public final class RunningCommand {
  private final Process process;
  private final ExecLaunch.Mark mark;
  private final List<String> launcher;
  private final Runnable ended;

  /**
   * @param ended runs when all processes of the command are gone; more than once if it is killed
   */
  RunningCommand(Process process, ExecLaunch.Mark mark, List<String> launcher, Runnable ended) {
    this.process = process;
    this.mark = mark;
    this.launcher = List.copyOf(launcher);
    this.ended = ended;
  }

  /** Writes to the standard input. */
  public OutputStream input() {
    return process.getOutputStream();
  }

  /** Reads the standard output; of a command with a terminal, everything. */
  public InputStream output() {
    return process.getInputStream();
  }

  /** Reads the standard error. */
  public InputStream errors() {
    return process.getErrorStream();
  }

  /**
   * Waits for the end. Then kills what the command left running, so that no process of it lives
   * without limits that the supervisor knows.
   *
   * @return the exit code, or 128 plus the number of the signal that killed the command
   */
  public int await() throws InterruptedException {
    int code = process.waitFor();
    kill();
    return code;
  }

  /** Asks the command to end, as by a terminal that is closed. */
  public void terminate() {
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .toList()
        .forEach(ProcessHandle::destroy);
  }

  /** Kills the command and all processes that it started. */
  public void kill() {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close its streams
    Proc.killMarked(mark.variable(), mark.value(), String::isEmpty);
    ended.run();
  }

  /**
   * Changes the size of the terminal, which signals it to the program. Has no effect without a
   * terminal, or before the program has one.
   */
  public void resize(ExecRequest.Size size) throws IOException, InterruptedException {
    var terminal =
        process
            .descendants()
            .flatMap(each -> Proc.stat(each.pid()).stream())
            .flatMap(stat -> stat.pseudoTerminal().stream())
            .findFirst();
    if (terminal.isEmpty()) {
      return;
    }
    var words = new ArrayList<>(launcher);
    words.addAll(
        List.of(
            ProcessShim.program("stty").orElseThrow(() -> new IOException("no stty")).toString(),
            "-F",
            terminal.get().toString(),
            "rows",
            String.valueOf(size.rows()),
            "cols",
            String.valueOf(size.columns())));
    var builder = new ProcessBuilder(words);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    var changing = builder.start();
    changing.getOutputStream().close();
    if (!changing.waitFor(5, TimeUnit.SECONDS)) {
      changing.destroyForcibly();
    }
  }
}
