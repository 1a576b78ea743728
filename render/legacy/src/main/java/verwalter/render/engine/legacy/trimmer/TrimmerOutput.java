package verwalter.render.engine.legacy.trimmer;

/**
 * Collects the output. White space of the template is held back until the following text is known,
 * so that margins work across blocks and lines. White space of values is never changed.
 */
final class TrimmerOutput {
  private final int limit;
  private final boolean oneLine;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder waiting = new StringBuilder();
  private Margin margin = Margin.KEPT;

  TrimmerOutput(int limit, boolean oneLine) {
    this.limit = limit;
    this.oneLine = oneLine;
  }

  /** Adds text of the template. */
  void text(int at, String more) {
    int from = 0;
    for (int i = 0; i <= more.length(); i++) {
      boolean blank = i < more.length() && Character.isWhitespace(more.charAt(i));
      if (i == more.length() || blank != (from < i && isBlankAt(more, from))) {
        run(at, more.substring(from, i));
        from = i;
      }
    }
  }

  private static boolean isBlankAt(String more, int at) {
    return Character.isWhitespace(more.charAt(at));
  }

  private void run(int at, String run) {
    if (run.isEmpty()) {
      return;
    }
    if (isBlankAt(run, 0)) {
      room(at, run.length());
      waiting.append(run);
    } else {
      flush(at);
      add(at, run);
    }
  }

  /** Adds the value of an output. */
  void value(int at, Margin left, String value, Margin right) {
    margin = margin.or(left);
    flush(at);
    add(at, value);
    margin = right;
  }

  /** Puts exactly one space between the preceding and the following text. */
  void join() {
    margin = Margin.SPACE;
  }

  private void flush(int at) {
    boolean start = text.length() == 0;
    if (margin == Margin.SPACE || (margin == Margin.KEPT && oneLine && waiting.length() > 0)) {
      add(at, start ? "" : " ");
    } else if (margin == Margin.KEPT) {
      text.append(waiting);
    }
    waiting.setLength(0);
    margin = Margin.KEPT;
  }

  private void add(int at, String more) {
    room(at, more.length());
    text.append(more);
  }

  private void room(int at, int length) {
    if (text.length() + waiting.length() + length > limit) {
      throw new FailureAt.Limit(at, "produces more than " + limit + " characters");
    }
  }

  /** The whole output. */
  String finished() {
    return margin == Margin.KEPT && !oneLine ? text.toString() + waiting : text.toString();
  }
}
