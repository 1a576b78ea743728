package verwalter.render.engine.legacy.tera;

/** Collects text up to a limit. Text between {@link #begin} and {@link #end} is trimmed. */
final class Output {
  private static final int NOWHERE = -1;

  private final StringBuilder text = new StringBuilder();
  private final int limit;

  /** The position where leading white space is dropped until other text is written there. */
  private int start = NOWHERE;

  Output(int limit) {
    this.limit = limit;
  }

  void append(String more) {
    var kept = text.length() == start ? Space.withoutLeading(more) : more;
    if (text.length() + (long) kept.length() > limit) {
      throw new RenderBudget.Exhausted("produces more than " + limit + " characters");
    }
    text.append(kept);
  }

  int length() {
    return text.length();
  }

  /** Starts to drop leading white space; returns the argument for {@link #end}. */
  int begin() {
    int before = start;
    start = text.length();
    return before;
  }

  void end(int before) {
    start = before;
  }

  /** Drops trailing white space behind a position. */
  void trimEnd(int from) {
    int end = text.length();
    while (end > from && Space.is(text.charAt(end - 1))) {
      end--;
    }
    text.setLength(end);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
