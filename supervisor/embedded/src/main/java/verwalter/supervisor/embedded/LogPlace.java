package verwalter.supervisor.embedded;

import java.util.List;

/**
 * A place in a log and its copies. Immutable.
 *
 * @param rotations number of rotations of the log that are reflected
 * @param number of the file: 0 for the log, 1 for its newest copy
 * @param offset in that file, in bytes
 */
record LogPlace(long rotations, int number, long offset) {

  /** The place of the same byte after another rotation. */
  LogPlace after(LogShift shift) {
    if (number > 0) {
      return new LogPlace(rotations + 1, number + 1, offset);
    }
    return shift.isMoved(offset)
        ? new LogPlace(rotations + 1, 1, shift.inCopy(offset))
        : new LogPlace(rotations + 1, 0, shift.inLog(offset));
  }

  /**
   * The place of the same byte after all rotations.
   *
   * @param shifts the latest ones, oldest first
   * @param total number of all rotations
   */
  LogPlace after(List<LogShift> shifts, long total) {
    var place = this;
    while (place.rotations < total) {
      long index = shifts.size() - (total - place.rotations);
      place =
          index < 0
              ? new LogPlace(place.rotations + 1, place.number + 1, place.offset)
              : place.after(shifts.get((int) index));
    }
    return place;
  }

  LogPlace at(long newOffset) {
    return new LogPlace(rotations, number, newOffset);
  }

  /** The beginning of the next newer file. */
  LogPlace newer(long begin) {
    return new LogPlace(rotations, number - 1, begin);
  }
}
