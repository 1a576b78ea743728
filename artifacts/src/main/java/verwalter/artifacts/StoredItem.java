package verwalter.artifacts;

import java.time.Instant;

/**
 * Something on the disk that may be deleted.
 *
 * @param kind release or archive
 * @param name key of a release, or text of an archive's digest
 * @param bytes on the disk
 * @param isNamed whether the caller needs it, so that it must stay
 * @param lastNamed when it was created or last named
 */
public record StoredItem(Kind kind, String name, long bytes, boolean isNamed, Instant lastNamed) {
  /** The kinds of items. */
  public enum Kind {
    /** A release, whose name is its key. */
    RELEASE,
    /** An archive, whose name is its digest. */
    BLOB
  }
}
