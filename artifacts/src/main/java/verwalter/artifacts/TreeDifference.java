package verwalter.artifacts;

/**
 * A file, directory or link of a release that is not as it was unpacked.
 *
 * @param path relative to the directory of the release; empty for the directory itself
 * @param kind what differs
 */
public record TreeDifference(String path, Kind kind) {
  /** What differs. */
  public enum Kind {
    /** It does not exist. */
    MISSING,
    /** It was not in the archive. */
    ADDED,
    /** It is a file instead of a directory, or the like. */
    TYPE,
    /** Its permissions were changed. */
    MODE,
    /** It has another size or other bytes. */
    CONTENT,
    /** The link has another target. */
    TARGET,
    /** It cannot be read, so nothing is known about its content. */
    UNREADABLE,
    /** The manifest is damaged, so nothing is known about the release. */
    MANIFEST
  }
}
