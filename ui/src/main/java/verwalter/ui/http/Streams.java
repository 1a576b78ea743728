package verwalter.ui.http;

/** How many answers without end there are, and how many there may be. Belongs to the loop. */
public final class Streams {
  private final int most;
  private int open;

  public Streams(int most) {
    this.most = most;
  }

  /**
   * Counts one more.
   *
   * @throws Problem 429 if there are too many
   */
  public void enter() {
    if (open >= most) {
      throw Problem.tooMany(
          "there are %d watches already; close some or try again later".formatted(open));
    }
    open++;
  }

  /** Counts one less. */
  public void leave() {
    open--;
  }

  public int open() {
    return open;
  }
}
