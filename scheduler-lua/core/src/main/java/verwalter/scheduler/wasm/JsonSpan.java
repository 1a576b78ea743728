package verwalter.scheduler.wasm;

/**
 * Finds where a JSON object ends in bytes of which nobody knows the length. What lies between its
 * brackets may be wrong; the parser says so later.
 */
final class JsonSpan {
  /** Where the search stands: bytes looked at, open brackets, and what a quote would mean. */
  private int at;

  private int open;
  private boolean quoted;
  private boolean escaped;
  private boolean begun;

  /** Whether what was found so far cannot become an object. */
  private boolean wrong;

  /**
   * Looks at more bytes.
   *
   * @return how many bytes of all that were fed the object ends after, or -1 while it has not ended
   */
  int feed(byte[] bytes) {
    for (byte each : bytes) {
      at++;
      if (quoted) {
        inText(each);
      } else if (!begun && !isBlank(each) && each != '{') {
        wrong = true;
        return at;
      } else if (each == '"') {
        quoted = true;
      } else if (each == '{' || each == '[') {
        begun = true;
        open++;
      } else if ((each == '}' || each == ']') && --open == 0) {
        return at;
      }
    }
    return -1;
  }

  boolean isWrong() {
    return wrong;
  }

  private void inText(byte each) {
    if (escaped) {
      escaped = false;
    } else if (each == '\\') {
      escaped = true;
    } else if (each == '"') {
      quoted = false;
    }
  }

  private static boolean isBlank(byte each) {
    return each == ' ' || each == '\n' || each == '\r' || each == '\t';
  }
}
