package verwalter.render.engine.legacy.trimmer;

/**
 * One word of an expression.
 *
 * @param text as written; of a string, what it means
 * @param end where it ends
 */
record Token(Kind kind, String text, int at, int end) {

  /** What a word may be. */
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    SIGN,
    /** Of the statement's line, of the output, or of the text. */
    END
  }

  boolean is(String sign) {
    return (kind == Kind.SIGN || kind == Kind.NAME) && text.equals(sign);
  }

  /** For messages. */
  @Override
  public String toString() {
    return kind == Kind.END ? "the end" : kind == Kind.STRING ? "a string" : "`" + text + "`";
  }
}
