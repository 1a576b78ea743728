package verwalter.controllers.deployment;

import verwalter.model.Reason;

/** An archive or a release cannot be prepared or removed. The message is for users. */
public final class ReleaseFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;
  private final boolean mayPass;

  /**
   * @param mayPass whether the same call may succeed later
   */
  public ReleaseFailure(Reason reason, boolean mayPass, String message) {
    super(message);
    this.reason = reason;
    this.mayPass = mayPass;
  }

  /** Why it failed. */
  public Reason reason() {
    return reason;
  }

  /** Whether the same call may succeed later. */
  public boolean mayPass() {
    return mayPass;
  }

  /** The message. */
  String text() {
    return String.valueOf(getMessage());
  }

  /** The failure of a future; one that the port does not promise is a failure of the disk. */
  static ReleaseFailure of(Throwable cause) {
    return cause instanceof ReleaseFailure failure
        ? failure
        : new ReleaseFailure(Reason.DISK_FAILED, true, String.valueOf(cause));
  }
}
