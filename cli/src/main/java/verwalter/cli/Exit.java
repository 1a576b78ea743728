package verwalter.cli;

import java.util.SortedMap;
import java.util.TreeMap;

/** The codes {@code vw} ends with (field.md 4.1). */
enum Exit {
  OK(0, "Done."),
  ERROR(
      1,
      "Something failed: the server refused, does not answer, or an object is not there; or what"
          + " was compared is different (schedule diff, replay, shadow)."),
  USAGE(2, "The command line makes no sense; nothing was tried."),
  FAILED(4, "What was waited for has failed (rollout status)."),
  TIMEOUT(5, "What was waited for was not reached in time (rollout status)."),
  HELD(6, "A guard holds it back until somebody allows it (rollout status).");

  private final int code;
  private final String meaning;

  Exit(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  int code() {
    return code;
  }

  /** What each code means, also the one a signal gives. */
  static SortedMap<Integer, String> meanings() {
    var meanings = new TreeMap<Integer, String>();
    for (var exit : values()) {
      meanings.put(exit.code, exit.meaning);
    }
    meanings.put(130, "You interrupted it (Ctrl-C).");
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
