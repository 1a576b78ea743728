package verwalter.cli;

/** The codes {@code vw} ends with (field.md 4.1). */
enum Exit {
  OK(0, "Done."),
  ERROR(1, "Something failed: the server refused, does not answer, or an object is not there."),
  USAGE(2, "The command line makes no sense; nothing was tried.");

  private final int code;
  private final String meaning;

  Exit(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  int code() {
    return code;
  }

  /** The text of {@code vw help exit-codes}. */
  static String table() {
    var table = new StringBuilder("CODE   MEANING\n");
    for (var exit : values()) {
      table.append(exit.code).append("      ").append(exit.meaning).append('\n');
    }
    return table.append("130    You interrupted it (Ctrl-C).\n").toString();
  }
}
