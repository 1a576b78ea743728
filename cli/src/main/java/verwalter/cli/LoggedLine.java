package verwalter.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A line of a log of a process.
 *
 * @param time at which it had been written, by the clock of its node
 * @param process the instance, {@code group/process.number}
 */
record LoggedLine(Instant time, String node, String process, String text) {

  /** A line as a node sends it; empty if it is malformed. */
  static Optional<LoggedLine> parse(String node, String line) {
    var parts = line.split(" ", 3);
    try {
      return parts.length == 3
          ? Optional.of(new LoggedLine(Instant.parse(parts[0]), node, parts[1], parts[2]))
          : Optional.empty();
    } catch (DateTimeException malformed) {
      return Optional.empty();
    }
  }
}
