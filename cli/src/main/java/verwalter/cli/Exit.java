package verwalter.cli;

import java.util.SortedMap;
import java.util.TreeMap;

/** The exit codes of {@code vw}. */
enum Exit implements VerbResult {
  OK(0, "Done."),
  ERROR(
      1,
      "The command failed: the server refused the request or does not answer, or an object does not"
          + " exist; or the rollout has failed (rollout status); or a comparison found a difference"
          + " (schedule diff, replay, shadow, config diff, verify)."),
  USAGE(2, "The command line is not valid; the command did nothing."),
  SUPERSEDED(3, "Another version was wanted before the rollout was complete (rollout status)."),
  FAILED(
      4,
      "The files of a role cannot be put in place, or its processes do not run (files status), or"
          + " the service does not start (run)."),
  TIMEOUT(
      5,
      "The command was not complete before the timeout (wait, run, rollout status, files status,"
          + " restart, purge, verify, drain, node leave, node remove, node rename)."),
  HELD(6, "A guard holds the files until they are allowed (files status)."),
  REFUSED(7, "The scheduler refused the action, or fails with it (action --wait)."),
  UNKNOWN_ROLE(8, "There is no role of this name (action --wait)."),
  UNKNOWN_ACTION(9, "The role has no action of this name (action --wait).");

  private final int code;
  private final String meaning;

  Exit(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  @Override
  public int code() {
    return code;
  }

  /** The meaning of each code, including that of a signal. */
  static SortedMap<Integer, String> meanings() {
    var meanings = new TreeMap<Integer, String>();
    for (var exit : values()) {
      meanings.put(exit.code, exit.meaning);
    }
    meanings.put(130, "The command was interrupted (Ctrl-C).");
    return meanings;
  }

  /** The text of {@code vw help exit-codes}. */
  static String table() {
    var table = new StringBuilder("CODE   MEANING\n");
    meanings()
        .forEach(
            (code, meaning) -> table.append("%-7d".formatted(code)).append(meaning).append('\n'));
    return table.toString();
  }
}
