package verwalter.render.engine.jinja;

/** A mistake in a template. The text is for its author and is reported as it is. */
final class JinjaError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String text;

  /** The message has every percent sign twice, since jinjava makes it part of a format. */
  JinjaError(String text) {
    super(text.replace("%", "%%"), null, false, false);
    this.text = text;
  }

  String text() {
    return text;
  }
}
