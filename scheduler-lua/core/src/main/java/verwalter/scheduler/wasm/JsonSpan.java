package verwalter.scheduler.wasm;

/**
 * Finds the end of a JSON object in bytes of unknown length. Its content is not validated; the
 * parser does that later.
 */
final class JsonSpan {
  /** The state of the search: bytes read, open brackets, and whether it is within a string. */
  private int at;

  private int open;
  private boolean quoted;
  private boolean escaped;
  private boolean begun;

  /** Whether the bytes so far cannot be the beginning of an object. */
  private boolean wrong;

  /**
   * Reads more bytes.
   *
   * @return the total number of bytes up to the end of the object, or -1 if it has not ended
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
