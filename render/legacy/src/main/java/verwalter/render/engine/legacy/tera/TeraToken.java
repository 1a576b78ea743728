package verwalter.render.engine.legacy.tera;

/**
 * One token of a template.
 *
 * @param text of a string its content; of a closing bracket without the trim sign
 * @param at its position in the source
 */
record TeraToken(Kind kind, String text, int at) {
  enum Kind {
    TEXT,
    OPEN,
    CLOSE,
    NAME,
    STRING,
    NUMBER,
    SYMBOL,
    END
  }

  boolean is(Kind kind, String text) {
    return this.kind == kind && this.text.equals(text);
  }

  /** Its name in errors. */
  String shown() {
    return switch (kind) {
      case END -> "the end of the template";
      case STRING -> "a text";
      default -> "`" + text + "`";
    };
  }
}
