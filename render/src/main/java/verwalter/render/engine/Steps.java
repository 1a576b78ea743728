package verwalter.render.engine;

/** Counts the steps of one rendering, and ends it when there are too many. */
public final class Steps {
  /** A name that no template can use. */
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

  /** The limit of steps was exceeded. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;

    Exhausted(int limit) {
      super("takes more than " + limit + " steps to render", null, false, false);
    }
  }
}
