package verwalter.render.engine.legacy.trimmer;

/**
 * One token of an expression.
 *
 * @param text as written; for a string, its value
 * @param end the end position
 */
record TrimmerToken(Kind kind, String text, int at, int end) {

  /** The kind of a token. */
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    SIGN,
    /** The end of the statement's line, of the output, or of the text. */
    END
  }

  boolean is(String sign) {
    return (kind == Kind.SIGN || kind == Kind.NAME) && text.equals(sign);
  }

  /** Its name in messages. */
  @Override
  public String toString() {
    return kind == Kind.END ? "the end" : kind == Kind.STRING ? "a string" : "`" + text + "`";
  }
}
