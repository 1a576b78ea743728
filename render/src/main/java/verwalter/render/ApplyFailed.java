package verwalter.render;

/** An application failed, and what it had switched was put back; says which command and why. */
public final class ApplyFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final String log;

  ApplyFailed(String message, String log, Throwable cause) {
    super(message, cause);
    this.log = log;
  }

  /** What happened until then, for people; bounded. */
  public String log() {
    return log;
  }
}
