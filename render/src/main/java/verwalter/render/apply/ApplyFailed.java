package verwalter.render.apply;

import java.util.List;
import verwalter.render.LogPiece;

/** An application failed and its changes were undone; names the command and the cause. */
public final class ApplyFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<LogPiece> pieces;

  ApplyFailed(String message, RunLog log, Throwable cause) {
    super(message, cause);
    this.pieces = log.pieces();
  }

  /** The log until the failure, in order; its size is limited. */
  public List<LogPiece> pieces() {
    return pieces;
  }

  /** The log until the failure, for people. */
  public String log() {
    return LogPiece.text(pieces);
  }
}
