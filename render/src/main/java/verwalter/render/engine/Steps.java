package verwalter.render.engine;

/** Counts what one rendering does, and ends it when that is too much. */
public final class Steps {
  /** No template can name it. */
  static final String KEY = " steps ";

  private final int limit;
  private int taken;

  public Steps(int limit) {
    this.limit = limit;
  }

  public void take() {
    if (++taken > limit) {
      throw new Exhausted(limit);
    }
  }

  /** Too many steps. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;

    Exhausted(int limit) {
      super("takes more than " + limit + " steps to render", null, false, false);
    }
  }
}
