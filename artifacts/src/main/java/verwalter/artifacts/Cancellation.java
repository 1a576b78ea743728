package verwalter.artifacts;

import verwalter.artifacts.ArtifactException.Reason;

/**
 * Ends an action of another thread, within a tenth of a second. What it has downloaded so far is
 * kept, what it has unpacked so far is deleted. Thread-safe. Interrupting the thread does the same.
 */
public final class Cancellation {
  private volatile boolean cancelled;

  /** Ends the actions that have this object, at present and in future. */
  public void cancel() {
    cancelled = true;
  }

  /** Whether {@link #cancel} was called. */
  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * Does nothing until the action is cancelled.
   *
   * @throws ArtifactException with the reason CANCELLED afterwards
   */
  void check(String action, Object place) throws ArtifactException {
    if (cancelled || Thread.currentThread().isInterrupted()) {
      throw exception(action, place);
    }
  }

  /** The failure of a cancelled action. */
  static ArtifactException exception(String action, Object place) {
    return new ArtifactException(Reason.CANCELLED, action, place, "it was cancelled");
  }
}
