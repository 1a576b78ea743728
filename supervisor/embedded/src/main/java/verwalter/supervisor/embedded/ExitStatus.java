package verwalter.supervisor.embedded;

import java.util.Optional;
import java.util.Set;

/**
 * The exit status of a program, as the shell of its shim reports it. A shell returns 128 plus the
 * number of the signal that killed a program, but a program may exit with such a code too. For
 * nearly all signals the shell also prints a description, such as {@code Killed}; for an exit it
 * prints nothing.
 *
 * @param number the exit code, or 128 plus the number of a signal
 * @param signalled whether it was a signal
 */
record ExitStatus(int number, boolean signalled) {
  private static final int SIGNAL = 128;
  private static final int LAST_SIGNAL = 64;

  /** SIGINT, SIGPIPE and SIGTERM, for which some shells print no description. */
  private static final Set<Integer> SILENT = Set.of(SIGNAL + 2, SIGNAL + 13, SIGNAL + 15);

  /** Parses the note of a shim; empty while the number is missing. */
  static Optional<ExitStatus> parse(String text) {
    if (!text.endsWith("\n")) {
      return Optional.empty();
    }
    var said = text.strip();
    int line = said.lastIndexOf('\n') + 1;
    return Optional.of(said.substring(line))
        .filter(last -> last.matches("[0-9]{1,3}"))
        .map(Integer::parseInt)
        .map(number -> of(number, line > 0));
  }

  private static ExitStatus of(int number, boolean described) {
    boolean possible = number > SIGNAL && number <= SIGNAL + LAST_SIGNAL;
    return new ExitStatus(number, possible && (described || SILENT.contains(number)));
  }

  Optional<Integer> code() {
    return signalled ? Optional.empty() : Optional.of(number);
  }

  Optional<Integer> signal() {
    return signalled ? Optional.of(number - SIGNAL) : Optional.empty();
  }
}
