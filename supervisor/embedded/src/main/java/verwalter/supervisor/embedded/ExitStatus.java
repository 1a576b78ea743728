package verwalter.supervisor.embedded;

import java.util.Optional;
import java.util.Set;

/**
 * How a program ended, as the shell of its shim reports it. A shell gives 128 and the number of the
 * signal that killed a program, which a program may also exit with by itself; but of nearly all
 * signals it says a word too, such as {@code Killed}, and of an exit it says nothing.
 *
 * @param number the exit code, or 128 and the number of a signal
 * @param signalled whether it was a signal
 */
record ExitStatus(int number, boolean signalled) {
  private static final int SIGNAL = 128;
  private static final int LAST_SIGNAL = 64;

  /** SIGINT, SIGPIPE and SIGTERM: not every shell says a word of those. */
  private static final Set<Integer> SILENT = Set.of(SIGNAL + 2, SIGNAL + 13, SIGNAL + 15);

  /** Reads what a shim wrote; empty as long as the number is not there. */
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

  private static ExitStatus of(int number, boolean told) {
    boolean possible = number > SIGNAL && number <= SIGNAL + LAST_SIGNAL;
    return new ExitStatus(number, possible && (told || SILENT.contains(number)));
  }

  Optional<Integer> code() {
    return signalled ? Optional.empty() : Optional.of(number);
  }

  Optional<Integer> signal() {
    return signalled ? Optional.of(number - SIGNAL) : Optional.empty();
  }
}
