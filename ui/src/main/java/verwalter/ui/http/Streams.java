package verwalter.ui.http;

/** Counts the open streams and limits their number. Belongs to the loop. */
public final class Streams {
  private final int most;
  private int open;

  public Streams(int most) {
    this.most = most;
  }

  /**
   * Counts a new stream.
   *
   * @throws RequestProblem 429 if there are too many
   */
  public void enter() {
    if (open >= most) {
      throw RequestProblem.tooMany(
          "there are %d watches already; close some or try again later".formatted(open));
    }
    open++;
  }

  /** Counts a closed stream. */
  public void leave() {
    open--;
  }

  public int open() {
    return open;
  }
}
