package verwalter.scheduler.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.Decisions;

/** The file names of records, which contain the properties of their {@link Decisions.Entry}. */
final class RecordFile {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{8}T\\d{6}\\.\\d{3}Z)_([0-9a-f]{40})_([0-9a-f]{40}|failed)"
              + "_([0-9A-Za-z.-]{1,64})\\.jsonl\\.gz");
  private static final String FAILED = "failed";
  private static final String UNKNOWN = "unknown";

  /** The file's name, such as {@code 20261121T101500.000Z_ID_SCHEDULE_CODE.jsonl.gz}. */
  static String name(Decisions.Entry entry) {
    return "%s_%s_%s_%s.jsonl.gz"
        .formatted(
            TIME.format(entry.at()),
            entry.id(),
            entry.decided() ? entry.schedule() : FAILED,
            entry.code().isEmpty() ? UNKNOWN : entry.code());
  }

  /** Parses a file name; empty if it is not that of a record. */
  static Optional<Decisions.Entry> parse(String file, long bytes) {
    var name = NAME.matcher(file);
    if (!name.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Decisions.Entry(
              name.group(2),
              TIME.parse(name.group(1), Instant::from),
              name.group(3).equals(FAILED) ? "" : name.group(3),
              name.group(4).equals(UNKNOWN) ? "" : name.group(4),
              bytes));
    } catch (DateTimeException noTime) {
      return Optional.empty();
    }
  }

  private RecordFile() {}
}
