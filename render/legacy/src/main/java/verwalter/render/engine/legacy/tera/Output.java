package verwalter.render.engine.legacy.tera;

/**
 * Collects text up to a limit. What is written between {@link #begin} and {@link #end} loses the
 * white space around it.
 */
final class Output {
  private static final int NOWHERE = -1;

  private final StringBuilder text = new StringBuilder();
  private final int limit;

  /** Where white space is left out, as long as nothing else has been written there. */
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

  /** From here on, leading white space is left out; gives what {@link #end} needs. */
  int begin() {
    int before = start;
    start = text.length();
    return before;
  }

  void end(int before) {
    start = before;
  }

  /** Takes away the white space with which the text behind a place ends. */
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
