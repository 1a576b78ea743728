package verwalter.render.engine.legacy.tera;

import java.util.function.Supplier;

/** Carries a mistake from where it is found to where it is collected. */
class Wrong extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Supplier<Mistake> mistake;

  /** Finds out the details only when asked, since many a mistake is forgiven. */
  Wrong(String text, Supplier<Mistake> mistake) {
    super(text, null, false, false);
    this.mistake = mistake;
  }

  Mistake mistake() {
    return mistake.get();
  }

  /** A name without a value, which conditions, {@code default} and {@code is defined} forgive. */
  static final class Undefined extends Wrong {
    private static final long serialVersionUID = 1;

    Undefined(String text, Supplier<Mistake> mistake) {
      super(text, mistake);
    }
  }
}
