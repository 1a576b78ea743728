package verwalter.supervisor.embedded;

/**
 * How a rotation moved the bytes of a log. Immutable.
 *
 * @param end the bytes before this offset of the log are in the copy
 * @param copy size of the copy in bytes
 * @param removed number of bytes that were removed from the beginning of the log; bytes between it
 *     and {@code end} were replaced by blanks
 */
record LogShift(long end, long copy, long removed) {
  /** Whether a byte of the log is in the copy. */
  boolean isMoved(long offset) {
    return offset < end;
  }

  /** The offset in the copy, or 0 for a byte that was dropped. */
  long inCopy(long offset) {
    return Math.max(0, offset + copy - end);
  }

  /** The offset in the log after the rotation. */
  long inLog(long offset) {
    return Math.max(0, offset - removed);
  }
}
