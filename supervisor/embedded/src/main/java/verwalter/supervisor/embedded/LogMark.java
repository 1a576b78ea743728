package verwalter.supervisor.embedded;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The first line of a log whose beginning was copied and is to be removed. It replaces a part of
 * what was copied, so it disappears together with it. Immutable.
 *
 * @param moved number of bytes at the beginning of the log that are in the copy
 * @param copy size of the copy in bytes when it held these
 */
record LogMark(long moved, long copy) {
  /** No mark has more bytes. */
  static final int LONGEST = 160;

  private static final String TEXT =
      "----- the first %s bytes of this log (inode %s) are rotated into a file of %s bytes -----\n";

  private static final Pattern FORM =
      Pattern.compile(
          "----- the first (\\d{1,18}) bytes of this log \\(inode (\\d{1,20})\\)"
              + " are rotated into a file of (\\d{1,18}) bytes -----\n");

  /**
   * The mark in a log.
   *
   * @param beginning at least the first {@link #LONGEST} bytes of the log, or all of it
   * @param inode number of the log, which differs from that of a log that a program prints
   * @param size of the log in bytes
   */
  static Optional<LogMark> in(String beginning, String inode, long size) {
    var found = FORM.matcher(beginning);
    if (!found.lookingAt() || !found.group(2).equals(inode)) {
      return Optional.empty();
    }
    var mark = new LogMark(Long.parseLong(found.group(1)), Long.parseLong(found.group(3)));
    return Optional.of(mark).filter(it -> it.moved >= LONGEST && it.moved <= size);
  }

  /** The line. */
  String line(String inode) {
    return TEXT.formatted(moved, inode, copy);
  }
}
