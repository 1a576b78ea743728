package verwalter.scheduler.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The properties of a record that are part of its file name.
 *
 * @param at the time of the run, to the millisecond
 * @param id of the record; see {@code DecisionRecord.id}
 * @param schedule hash of the resulting schedule; empty if the run failed
 * @param code hash of the scheduler's code; empty if it is unknown
 * @param size of the file, in bytes
 */
public record RecordName(Instant at, String id, String schedule, String code, long size) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{8}T\\d{6}\\.\\d{3}Z)_([0-9a-f]{40})_([0-9a-f]{40}|failed)"
              + "_([0-9A-Za-z.-]{1,64})\\.jsonl\\.gz");
  private static final String FAILED = "failed";
  private static final String UNKNOWN = "unknown";

  /** The file's name, such as {@code 20261121T101500.000Z_ID_SCHEDULE_CODE.jsonl.gz}. */
  public String file() {
    return "%s_%s_%s_%s.jsonl.gz"
        .formatted(
            TIME.format(at),
            id,
            schedule.isEmpty() ? FAILED : schedule,
            code.isEmpty() ? UNKNOWN : code);
  }

  /** Whether the run succeeded. */
  public boolean decided() {
    return !schedule.isEmpty();
  }

  /** Parses a file name; empty if it is not that of a record. */
  static Optional<RecordName> of(String file, long size) {
    var name = NAME.matcher(file);
    if (!name.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RecordName(
              TIME.parse(name.group(1), Instant::from),
              name.group(2),
              name.group(3).equals(FAILED) ? "" : name.group(3),
              name.group(4).equals(UNKNOWN) ? "" : name.group(4),
              size));
    } catch (DateTimeException noTime) {
      return Optional.empty();
    }
  }
}
