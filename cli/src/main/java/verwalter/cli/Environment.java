package verwalter.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a command uses besides the server: streams, environment variables, clock, other programs.
 *
 * @param terminals which of the three streams are terminals
 * @param terminal the terminal that the operator types on
 * @param chance creates a source of random numbers for secrets, on demand, because that takes time
 */
record Environment(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> variables,
    Terminals terminals,
    InstantSource clock,
    Pause pause,
    Programs programs,
    Supplier<RandomGenerator> chance,
    OwnTerminal terminal) {

  /** Which streams are terminals. */
  record Terminals(boolean in, boolean out, boolean err) {}

  /** Sleeps. */
  interface Pause {
    void pause(Duration time);
  }

  /** Runs other programs on the operator's terminal. */
  interface Programs {
    /**
     * Runs the program on the terminal with {@code file} as its last argument; returns its exit
     * code.
     */
    int run(List<String> command, Path file) throws IOException;
  }

  /** The value of an environment variable; empty if it is not set. */
  String variable(String name) {
    return variables.getOrDefault(name, "");
  }
}
