package verwalter.cli.print;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Ages and durations for people, in at most two units, as in kubectl. */
public final class Age {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;

  /** The age of an RFC 3339 time; {@code <unknown>} if the text is no time. */
  public static String since(String time, Instant now) {
    try {
      return of(Duration.between(Instant.parse(time), now));
    } catch (DateTimeException e) {
      return "<unknown>";
    }
  }

  /** A duration; the smaller unit is omitted for long durations. */
  public static String of(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 2 * MINUTE) {
      return Math.max(0, seconds) + "s";
    }
    if (seconds < 10 * MINUTE) {
      return two(seconds, MINUTE, "m", 1, "s");
    }
    if (seconds < 3 * HOUR) {
      return seconds / MINUTE + "m";
    }
    if (seconds < 8 * HOUR) {
      return two(seconds, HOUR, "h", MINUTE, "m");
    }
    if (seconds < 2 * DAY) {
      return seconds / HOUR + "h";
    }
    if (seconds < 8 * DAY) {
      return two(seconds, DAY, "d", HOUR, "h");
    }
    if (seconds < 2 * YEAR) {
      return seconds / DAY + "d";
    }
    return seconds < 8 * YEAR ? two(seconds, YEAR, "y", DAY, "d") : seconds / YEAR + "y";
  }

  private static String two(long seconds, long unit, String name, long small, String smallName) {
    long rest = seconds % unit / small;
    return seconds / unit + name + (rest == 0 ? "" : rest + smallName);
  }

  private Age() {}
}
