package verwalter.supervisor.embedded;

import java.util.Optional;

/**
 * The text of a process file whose end is marked, so that a file that was cut off or emptied by
 * accident is not read as a request to end processes. The marks are comments. Files without them
 * were written by version 0.1.0 or by hand.
 */
final class CompleteText {
  private static final String FIRST = "# Complete if the last line begins with \"# end\".\n";
  private static final String LAST = "# end\n";
  private static final String LAST_WITH_COMMANDS = "# end, with commands in the .json file\n";

  /**
   * The marked text.
   *
   * @param entries the text of the entries
   * @param commanded whether the group also has processes with a command, in another file
   */
  static String of(String entries, boolean commanded) {
    return FIRST + entries + (commanded ? LAST_WITH_COMMANDS : LAST);
  }

  /**
   * Why the text may lack processes; empty if it is complete.
   *
   * @param none whether the text has no entry
   * @param commanded whether the file with the processes that have a command exists
   */
  static Optional<String> damage(String text, boolean none, boolean commanded) {
    if (text.startsWith(FIRST)) {
      if (text.endsWith(LAST_WITH_COMMANDS)) {
        return commanded ? Optional.empty() : Optional.of("has commands in a file that is missing");
      }
      return text.endsWith(LAST) ? Optional.empty() : Optional.of("is cut off");
    }
    return none ? Optional.of("is empty") : Optional.empty();
  }

  private CompleteText() {}
}
