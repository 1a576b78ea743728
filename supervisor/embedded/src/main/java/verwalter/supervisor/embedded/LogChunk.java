package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.List;

/**
 * Bytes of a log or of a copy.
 *
 * @param place of the first byte
 * @param next place after the last byte
 * @param marks the times of the file
 * @param latest the time of the last write to the file
 * @param isLast whether there are no more bytes now
 * @param isGap whether bytes before it were removed before they could be read
 */
@SuppressWarnings("ArrayRecordComponent") // chunks are not compared
record LogChunk(
    byte[] bytes,
    LogPlace place,
    LogPlace next,
    List<LogTimes.Mark> marks,
    Instant latest,
    boolean isLast,
    boolean isGap) {

  /**
   * The time at which the byte before an offset of the file had been written.
   *
   * @param end offset in bytes
   */
  Instant time(long end) {
    int low = 0;
    int high = marks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (marks.get(middle).end() < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < marks.size() ? marks.get(low).at() : latest;
  }
}
