package verwalter.scheduler.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.Decisions;

/** Resolves references to records: by id, by schedule, or by position. Pure. */
final class References {
  /** The newest record. */
  static final String LATEST = "latest";

  /** The newest record with another schedule than that of {@link #LATEST}. */
  static final String PREVIOUS = "previous";

  private static final Pattern PREFIX = Pattern.compile("[0-9a-f]{4,40}");

  /**
   * The record of a reference: {@code latest}, {@code previous}, the beginning of an id, or the
   * beginning of a schedule's hash, which names the newest record with that schedule.
   *
   * @param newestFirst all records
   * @throws Decisions.Unknown if it matches none or several
   */
  static Decisions.Entry find(List<Decisions.Entry> newestFirst, String reference)
      throws Decisions.Unknown {
    if (newestFirst.isEmpty()) {
      throw new Decisions.Unknown("no decision is recorded yet");
    }
    var latest = newestFirst.get(0);
    return switch (reference) {
      case LATEST -> latest;
      case PREVIOUS -> previous(newestFirst, latest);
      default -> byPrefix(newestFirst, reference);
    };
  }

  private static Decisions.Entry previous(List<Decisions.Entry> newestFirst, Decisions.Entry latest)
      throws Decisions.Unknown {
    return newestFirst.stream()
        .filter(each -> !each.schedule().equals(latest.schedule()))
        .findFirst()
        .orElseThrow(
            () -> new Decisions.Unknown("every decision on record came to the same schedule"));
  }

  private static Decisions.Entry byPrefix(List<Decisions.Entry> newestFirst, String prefix)
      throws Decisions.Unknown {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new Decisions.Unknown(
          "\"%s\" names no record: give latest, previous, or at least the first 4 digits of a"
                  .formatted(prefix)
              + " record or a schedule");
    }
    var meant = new LinkedHashMap<String, Decisions.Entry>();
    for (var each : newestFirst) {
      if (each.id().startsWith(prefix)) {
        meant.putIfAbsent(each.id(), each);
      }
      if (each.schedule().startsWith(prefix)) {
        meant.putIfAbsent(each.schedule(), each);
      }
    }
    if (meant.size() > 1) {
      throw new Decisions.Unknown(
          "\"%s\" may mean %d records or schedules: %s"
              .formatted(prefix, meant.size(), shown(meant)));
    }
    return Optional.of(meant)
        .filter(one -> !one.isEmpty())
        .map(one -> one.values().iterator().next())
        .orElseThrow(
            () ->
                new Decisions.Unknown("no record and no schedule begins with \"" + prefix + "\""));
  }

  private static String shown(Map<String, Decisions.Entry> meant) {
    var some = meant.keySet().stream().limit(3).map(hash -> hash.substring(0, 12)).toList();
    return String.join(", ", some) + (meant.size() > 3 ? ", ..." : "");
  }

  private References() {}
}
