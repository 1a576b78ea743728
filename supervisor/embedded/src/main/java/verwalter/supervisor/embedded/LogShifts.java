package verwalter.supervisor.embedded;

import java.util.ArrayList;
import java.util.List;

/** The rotations of a log since the supervisor was opened. Readers follow them. */
final class LogShifts {
  /** Of a log that was not rotated. */
  static final LogShifts NONE = new LogShifts();

  private final List<LogShift> latest = new ArrayList<>();
  private long total;

  /**
   * Adds a rotation.
   *
   * @param kept number of copies of the log; bytes that moved more often are gone
   */
  void add(LogShift shift, int kept) {
    latest.add(shift);
    total++;
    if (latest.size() > kept + 1) {
      latest.remove(0);
    }
  }

  /** The place of the same byte now. */
  LogPlace now(LogPlace before) {
    return before.after(latest, total);
  }

  /** A place as of now. */
  LogPlace place(int number, long offset) {
    return new LogPlace(total, number, offset);
  }
}
