package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/**
 * An artifact cannot be fetched, unpacked, verified or deleted. The message says which action
 * failed, on which object, and why, for users.
 */
public final class ArtifactException extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;
  private final String action;
  private final String place;
  private final String why;

  /** A stable word for the cause, and whether the same call may succeed later. */
  public enum Reason {
    /** The text of a digest is not {@code sha256:} and 64 hexadecimal digits. */
    BAD_DIGEST("BadDigest", false),
    /** The text of a source is not supported. */
    BAD_SOURCE("BadSource", false),
    /** The key of a release is empty or too long. */
    BAD_KEY("BadKey", false),
    /** A setting, such as a proxy in the environment, is malformed. */
    BAD_SETTING("BadSetting", false),
    /** The disk has too little space. */
    NO_SPACE("NoSpace", true),
    /** The bytes are not those of the digest; they were deleted. Callers bound the attempts. */
    DIGEST_MISMATCH("DigestMismatch", true),
    /** The source does not exist. */
    NOT_FOUND("NotFound", true),
    /** The server or the machine does not permit the access. */
    ACCESS_DENIED("AccessDenied", true),
    /** The server cannot be reached or has failed, or the file is being changed. */
    UNREACHABLE("Unreachable", true),
    /** The connection ended before the last byte; the next attempt continues. */
    CONNECTION_LOST("ConnectionLost", true),
    /** The server redirects too often or to an address that is not allowed. */
    BAD_REDIRECT("BadRedirect", true),
    /** No byte has arrived for longer than the limit. */
    STALLED("Stalled", true),
    /** The archive or the download exceeds a limit. */
    TOO_LARGE("TooLarge", false),
    /** The archive is malformed, or has entries that are not allowed. */
    BAD_ARCHIVE("BadArchive", false),
    /** The caller has cancelled the action, or has interrupted its thread. */
    CANCELLED("Cancelled", true),
    /** The disk has failed. */
    DISK_FAILED("DiskFailed", true);

    private final String word;
    private final boolean mayPass;

    Reason(String word, boolean mayPass) {
      this.word = word;
      this.mayPass = mayPass;
    }

    /** The word for conditions, such as {@code NoSpace}. */
    public String word() {
      return word;
    }

    /** Whether the same call may succeed later without a change of the object that asks for it. */
    public boolean mayPass() {
      return mayPass;
    }
  }

  ArtifactException(Reason reason, String action, Object place, String why) {
    this(reason, action, place, why, null);
  }

  ArtifactException(
      Reason reason,
      String action,
      Object place,
      String why,
      @org.jspecify.annotations.Nullable Throwable cause) {
    super(printable("cannot %s %s: %s".formatted(action, place, why)), cause);
    this.reason = reason;
    this.action = action;
    this.place = place.toString();
    this.why = why;
  }

  /** One line for terminals and logs: archives and servers choose names. */
  private static String printable(String message) {
    return message.replaceAll("\\p{Cc}", "?");
  }

  /** A copy that names another failure, too. */
  ArtifactException also(String other) {
    var both = new ArtifactException(reason, action, place, why + "; and: " + other, getCause());
    both.setStackTrace(getStackTrace());
    return both;
  }

  /** A failure of the disk, with the reason that it gives. */
  static ArtifactException of(IOException failed, String action, Object place) {
    return new ArtifactException(reason(failed), action, place, text(failed), failed);
  }

  private static Reason reason(IOException failed) {
    var text = String.valueOf(failed.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      return Reason.NO_SPACE;
    } else if (failed instanceof NoSuchFileException) {
      return Reason.NOT_FOUND;
    } else if (failed instanceof AccessDeniedException) {
      return Reason.ACCESS_DENIED;
    }
    return Reason.DISK_FAILED;
  }

  private static String text(IOException failed) {
    if (failed instanceof NoSuchFileException missing) {
      return missing.getFile() + " does not exist";
    } else if (failed instanceof AccessDeniedException denied) {
      return "no permission for " + denied.getFile();
    } else if (failed instanceof FileAlreadyExistsException existing) {
      return existing.getFile() + " exists already";
    } else if (failed instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason() + " (" + file.getFile() + ")";
    }
    return failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
  }

  /** Why the action failed. */
  public Reason reason() {
    return reason;
  }

  /** The action that failed, such as {@code download}. */
  public String action() {
    return action;
  }

  /** The URL, path, digest or key that the action was applied to. */
  public String place() {
    return place;
  }

  /** Whether the same call may succeed later. */
  public boolean isTransient() {
    return reason.mayPass();
  }
}
