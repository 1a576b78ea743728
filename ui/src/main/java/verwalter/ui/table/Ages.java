package verwalter.ui.table;

import java.time.Duration;

/** Durations in tables: at most two units, as in kubectl. */
public final class Ages {

  /** Such as {@code 5s}, {@code 3m12s}, {@code 47m}, {@code 5h3m}, {@code 3d4h}, {@code 2y31d}. */
  public static String text(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    long minutes = seconds / 60;
    long hours = minutes / 60;
    long days = hours / 24;
    if (seconds < 120) {
      return seconds + "s";
    }
    if (minutes < 10) {
      return both(minutes, "m", seconds % 60, "s");
    }
    if (hours < 3) {
      return minutes + "m";
    }
    if (hours < 8) {
      return both(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    if (days < 8) {
      return both(days, "d", hours % 24, "h");
    }
    if (days < 730) {
      return days + "d";
    }
    return both(days / 365, "y", days % 365, "d");
  }

  private static String both(long large, String unit, long small, String smallUnit) {
    return large + unit + (small == 0 ? "" : small + smallUnit);
  }

  private Ages() {}
}
