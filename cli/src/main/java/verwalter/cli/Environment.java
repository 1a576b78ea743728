package verwalter.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Everything outside of the program that a command may use, besides the server.
 *
 * @param terminals which of the three streams are terminals
 */
record Environment(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Terminals terminals,
    InstantSource clock,
    Pause pause,
    Programs programs) {

  /** Which streams are terminals. */
  record Terminals(boolean in, boolean out, boolean err) {}

  /** Waits. */
  interface Pause {
    void pause(Duration time);
  }

  /** Runs other programs on the operator's terminal. */
  interface Programs {
    /** The exit code of the program, run on the terminal with {@code file} as its last argument. */
    int run(List<String> command, Path file) throws IOException;
  }

  /** The value of a variable; empty when it is not set. */
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }
}
