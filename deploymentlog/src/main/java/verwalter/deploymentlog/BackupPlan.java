package verwalter.deploymentlog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The backups of the schedule to create and to remove. Pure.
 *
 * @param made names of backups to create, all with the same content
 * @param removed names of backups to remove
 */
record BackupPlan(List<String> made, List<String> removed) {
  static final String ENDING = ".json.gz";

  /** The kinds of backups: interval, number and names. */
  private enum Kind {
    HOURLY("hourly-", 36, "uuuuMMdd'T'HH", "\\d{8}T\\d{2}"),
    DAILY("daily-", 14, "uuuuMMdd", "\\d{8}"),
    WEEKLY("weekly-", 12, "uuuu'w'", "\\d{4}w\\d{2}");

    private final String prefix;
    private final int kept;
    private final DateTimeFormatter period;
    private final String pattern;

    Kind(String prefix, int kept, String period, String pattern) {
      this.prefix = prefix;
      this.kept = kept;
      this.period = DateTimeFormatter.ofPattern(period, Locale.ROOT).withZone(ZoneOffset.UTC);
      this.pattern = pattern;
    }

    private String name(Instant now) {
      var week = this == WEEKLY ? "%02d".formatted(week(now)) : "";
      return prefix + period.format(now) + week + ENDING;
    }

    private boolean matches(String name) {
      return name.matches(prefix + pattern + "\\.json\\.gz");
    }
  }

  BackupPlan {
    made = List.copyOf(made);
    removed = List.copyOf(removed);
  }

  /** Weeks begin on Monday; the days before the first one of a year are in week 0. */
  static int week(Instant now) {
    var day = now.atZone(ZoneOffset.UTC);
    return (day.getDayOfYear() + 7 - day.getDayOfWeek().getValue()) / 7;
  }

  /** Computes the plan for the present files. */
  static BackupPlan of(Collection<String> present, Instant now) {
    var made = new ArrayList<String>();
    var removed = new ArrayList<String>();
    for (var kind : Kind.values()) {
      var names = new TreeSet<String>();
      present.stream().filter(kind::matches).forEach(names::add);
      var name = kind.name(now);
      // A clock that was wrong for a while leaves names of the future; they count as present.
      if (names.isEmpty() || names.last().compareTo(name) < 0) {
        made.add(name);
        names.add(name);
      }
      for (int surplus = names.size() - kind.kept; surplus > 0; surplus--) {
        removed.add(names.pollFirst());
      }
    }
    return new BackupPlan(made, removed);
  }
}
