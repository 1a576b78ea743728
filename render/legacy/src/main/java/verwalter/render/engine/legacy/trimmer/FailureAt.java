package verwalter.render.engine.legacy.trimmer;

/** An error at a position of the template. Does not leave this package. */
class FailureAt extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int at;
  private final String text;

  FailureAt(int at, String text) {
    super(text, null, false, false);
    this.at = at;
    this.text = text;
  }

  int at() {
    return at;
  }

  String text() {
    return text;
  }

  /** A limit was exceeded: rendering stops. */
  static final class Limit extends FailureAt {
    private static final long serialVersionUID = 1;

    Limit(int at, String text) {
      super(at, text);
    }
  }
}
