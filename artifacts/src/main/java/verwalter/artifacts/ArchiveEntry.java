package verwalter.artifacts;

import java.time.Instant;

/**
 * One entry as an archive names it, unchecked.
 *
 * @param name as in the archive
 * @param type what is to be created
 * @param bytes size of the content of a file; 0 for others
 * @param executable whether its owner may execute the file
 * @param modified time of the last change
 * @param target of a link; empty for others
 */
record ArchiveEntry(
    String name, Type type, long bytes, boolean executable, Instant modified, String target) {
  /** The kinds of entries that may be unpacked. */
  enum Type {
    FILE,
    DIRECTORY,
    SYMBOLIC_LINK,
    /** Another name of an earlier file. */
    HARD_LINK
  }
}
