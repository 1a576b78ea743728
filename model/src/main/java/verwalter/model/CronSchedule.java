package verwalter.model;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a command runs: the five fields of cron, in a time zone. Pure.
 *
 * <p>Minutes of the wall clock that are skipped count as the first one after them. Of an hour that
 * is repeated, the second one counts only if every hour does.
 */
public final class CronSchedule {
  private static final List<String> MONTH_NAMES =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAY_NAMES =
      List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

  // A field is a list of *, numbers and ranges, each of which may have a step.
  private static final String STEP = "(/[1-9][0-9]?)?";
  private static final String MINUTE = "([0-5]?[0-9])";
  private static final String HOUR = "([01]?[0-9]|2[0-3])";
  private static final String DAY = "(0?[1-9]|[12][0-9]|3[01])";
  private static final String MONTH =
      "(0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
  private static final String WEEKDAY = "([0-7]|sun|mon|tue|wed|thu|fri|sat)";
  private static final String MINUTES = "(\\*|" + MINUTE + "(-" + MINUTE + ")?)" + STEP;
  private static final String HOURS = "(\\*|" + HOUR + "(-" + HOUR + ")?)" + STEP;
  private static final String DAYS = "(\\*|" + DAY + "(-" + DAY + ")?)" + STEP;
  private static final String MONTHS = "(\\*|" + MONTH + "(-" + MONTH + ")?)" + STEP;
  private static final String WEEKDAYS = "(\\*|" + WEEKDAY + "(-" + WEEKDAY + ")?)" + STEP;

  /** Matches schedules, and some whose ranges are reversed or whose days do not exist. */
  public static final String TEXTS =
      (MINUTES + "(," + MINUTES + ")* +")
          + (HOURS + "(," + HOURS + ")* +")
          + (DAYS + "(," + DAYS + ")* +")
          + (MONTHS + "(," + MONTHS + ")* +")
          + (WEEKDAYS + "(," + WEEKDAYS + ")*")
          + "|@(hourly|daily|weekly|monthly|yearly)";

  private static final Pattern TEXT = Pattern.compile(TEXTS);
  private static final Map<String, String> SHORT =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *");

  /** February 29 comes at least every eight years. */
  private static final int MOST_DAYS = 8 * 366;

  private static final int SUNDAY = 7;

  private final ZoneId zone;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet days;
  private final BitSet months;
  private final BitSet weekdays;
  private final boolean everyHour;
  private final boolean everyDay;
  private final boolean everyWeekday;

  private CronSchedule(String text, ZoneId zone) {
    this.zone = zone;
    var fields = SHORT.getOrDefault(text, text).split(" +", -1);
    minutes = bits("minutes", fields[0], 0, 59, List.of());
    hours = bits("hours", fields[1], 0, 23, List.of());
    days = bits("days", fields[2], 1, 31, List.of());
    months = bits("months", fields[3], 1, 12, MONTH_NAMES);
    weekdays = bits("days of the week", fields[4], 0, SUNDAY, DAY_NAMES);
    if (weekdays.get(SUNDAY)) {
      weekdays.set(0);
    }
    everyHour = fields[1].startsWith("*");
    everyDay = fields[2].startsWith("*");
    everyWeekday = fields[4].startsWith("*");
  }

  /**
   * Reads the five fields.
   *
   * @param zone the time zone of the fields
   * @throws IllegalArgumentException if the text is no schedule, or none of its times ever comes
   */
  public static CronSchedule of(String text, ZoneId zone) {
    if (text.length() > 200 || !TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "cron must be minute, hour, day, month and day of the week, such as \"*/5 * * * *\" or"
              + " \"30 3 * * mon-fri\", or @hourly, @daily, @weekly, @monthly or @yearly, not "
              + (text.length() > 200 ? text.substring(0, 200) + "..." : text));
    }
    var schedule = new CronSchedule(text, zone);
    if (schedule.next(Instant.EPOCH).isEmpty()) {
      throw new IllegalArgumentException("cron: there is no such day: " + text);
    }
    return schedule;
  }

  private static BitSet bits(String name, String field, int least, int most, List<String> names) {
    var bits = new BitSet();
    for (var part : field.split(",", -1)) {
      var halves = part.split("/", -1);
      int step = halves.length > 1 ? Integer.parseInt(halves[1]) : 1;
      int from = least;
      int to = most;
      if (!halves[0].equals("*")) {
        var range = halves[0].split("-", -1);
        from = number(range[0], least, names);
        // As in cron, 5/10 begins with 5.
        to = range.length > 1 ? number(range[1], least, names) : halves.length > 1 ? most : from;
      }
      if (from > to) {
        throw new IllegalArgumentException(
            "cron: the range %s of the %s ends before it begins".formatted(part, name));
      }
      for (int value = from; value <= to; value += step) {
        bits.set(value);
      }
    }
    return bits;
  }

  private static int number(String text, int least, List<String> names) {
    int index = names.indexOf(text);
    return index < 0 ? Integer.parseInt(text) : index + least;
  }

  /** The first time after this one; empty if there is none within eight years. */
  public Optional<Instant> next(Instant after) {
    var day = after.atZone(zone).toLocalDate();
    for (int i = 0; i <= MOST_DAYS; i++, day = day.plusDays(1)) {
      if (isDay(day)) {
        var found = next(after, day);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isDay(LocalDate date) {
    if (!months.get(date.getMonthValue())) {
      return false;
    }
    boolean day = days.get(date.getDayOfMonth());
    boolean weekday = weekdays.get(date.getDayOfWeek().getValue() % SUNDAY);
    // As in cron: if both are restricted, one of them is enough.
    return (everyDay || everyWeekday) ? day && weekday : day || weekday;
  }

  /** The first time of this day after another time. The day has 23 to 25 hours. */
  private Optional<Instant> next(Instant after, LocalDate day) {
    var end = day.plusDays(1).atStartOfDay(zone).toInstant();
    var change =
        Optional.ofNullable(
            zone.getRules().nextTransition(day.atStartOfDay(zone).toInstant().minusSeconds(1)));
    for (var time = day.atStartOfDay(zone).toInstant();
        time.isBefore(end);
        time = time.plus(Duration.ofMinutes(1))) {
      if (time.isAfter(after) && isTime(time, change)) {
        return Optional.of(time);
      }
    }
    return Optional.empty();
  }

  private boolean isTime(Instant time, Optional<ZoneOffsetTransition> change) {
    var local = time.atZone(zone);
    if (change.isPresent() && change.get().isGap() && change.get().getInstant().equals(time)) {
      var skipped = change.get().getDateTimeBefore();
      while (skipped.isBefore(change.get().getDateTimeAfter())) {
        if (minutes.get(skipped.getMinute()) && hours.get(skipped.getHour())) {
          return true;
        }
        skipped = skipped.plusMinutes(1);
      }
    }
    boolean again =
        zone.getRules().getValidOffsets(local.toLocalDateTime()).size() > 1
            && isLater(local.getOffset(), zone.getRules().getTransition(local.toLocalDateTime()));
    return minutes.get(local.getMinute()) && hours.get(local.getHour()) && (everyHour || !again);
  }

  private static boolean isLater(ZoneOffset offset, @Nullable ZoneOffsetTransition overlap) {
    return overlap != null && overlap.getOffsetAfter().equals(offset);
  }
}
