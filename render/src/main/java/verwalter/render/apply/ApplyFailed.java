package verwalter.render.apply;

import java.util.List;
import verwalter.render.LogPiece;

/** An application failed, and what it had switched was put back; says which command and why. */
public final class ApplyFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<LogPiece> pieces;

  ApplyFailed(String message, RunLog log, Throwable cause) {
    super(message, cause);
    this.pieces = log.pieces();
  }

  /** What happened until then, in its order; the text of all is bounded. */
  public List<LogPiece> pieces() {
    return pieces;
  }

  /** What happened until then, for people. */
  public String log() {
    return LogPiece.text(pieces);
  }
}
