package verwalter.scheduler.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Resolves references to records: by id, by schedule, or by position. Pure. */
public final class References {
  /** The newest record. */
  public static final String LATEST = "latest";

  /** The newest record with another schedule than that of {@link #LATEST}. */
  public static final String PREVIOUS = "previous";

  private static final Pattern PREFIX = Pattern.compile("[0-9a-f]{4,40}");

  /**
   * The record of a reference: {@code latest}, {@code previous}, the beginning of an id, or the
   * beginning of a schedule's hash, which names the newest record with that schedule.
   *
   * @param newestFirst all records
   * @throws NoSuchRecord if it matches none or several
   */
  public static RecordName find(List<RecordName> newestFirst, String reference)
      throws NoSuchRecord {
    if (newestFirst.isEmpty()) {
      throw new NoSuchRecord("no decision is recorded yet");
    }
    var latest = newestFirst.get(0);
    return switch (reference) {
      case LATEST -> latest;
      case PREVIOUS -> previous(newestFirst, latest);
      default -> byPrefix(newestFirst, reference);
    };
  }

  private static RecordName previous(List<RecordName> newestFirst, RecordName latest)
      throws NoSuchRecord {
    return newestFirst.stream()
        .filter(each -> !each.schedule().equals(latest.schedule()))
        .findFirst()
        .orElseThrow(() -> new NoSuchRecord("every decision on record came to the same schedule"));
  }

  private static RecordName byPrefix(List<RecordName> newestFirst, String prefix)
      throws NoSuchRecord {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new NoSuchRecord(
          "\"%s\" names no record: give latest, previous, or at least the first 4 digits of a"
                  .formatted(prefix)
              + " record or a schedule");
    }
    var meant = new LinkedHashMap<String, RecordName>();
    for (var each : newestFirst) {
      if (each.id().startsWith(prefix)) {
        meant.putIfAbsent(each.id(), each);
      }
      if (each.schedule().startsWith(prefix)) {
        meant.putIfAbsent(each.schedule(), each);
      }
    }
    if (meant.size() > 1) {
      throw new NoSuchRecord(
          "\"%s\" may mean %d records or schedules: %s"
              .formatted(prefix, meant.size(), shown(meant)));
    }
    return Optional.of(meant)
        .filter(one -> !one.isEmpty())
        .map(one -> one.values().iterator().next())
        .orElseThrow(
            () -> new NoSuchRecord("no record and no schedule begins with \"" + prefix + "\""));
  }

  private static String shown(Map<String, RecordName> meant) {
    var some = meant.keySet().stream().limit(3).map(hash -> hash.substring(0, 12)).toList();
    return String.join(", ", some) + (meant.size() > 3 ? ", ..." : "");
  }

  private References() {}
}
