package verwalter.model;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads durations and numbers of bytes that people write. Pure. */
public final class Quantities {
  /** What {@link #seconds} reads. */
  public static final String SECONDS_ALLOWED = "a duration of at most 24h, such as 90s, 5m or 1h";

  /** What {@link #bytes} reads. */
  public static final String BYTES_ALLOWED = "a number of bytes, such as 512MB, 2GB or 2GiB";

  private static final long MOST_SECONDS = Duration.ofHours(24).toSeconds();
  private static final Map<String, Long> SECONDS = Map.of("", 1L, "s", 1L, "m", 60L, "h", 3600L);
  private static final Map<String, Long> BYTES =
      Map.of(
          "", 1L,
          "k", 1_000L,
          "M", 1_000_000L,
          "G", 1_000_000_000L,
          "T", 1_000_000_000_000L,
          "Ki", 1L << 10,
          "Mi", 1L << 20,
          "Gi", 1L << 30,
          "Ti", 1L << 40);

  /** Up to six digits, so that no product overflows. */
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,6})([a-zA-Z]{0,2}?)(B?)");

  private static final Pattern PLAIN = Pattern.compile("[0-9]{1,18}");

  /** A duration in seconds; a plain number counts as seconds. */
  public static Optional<Long> seconds(Object value) {
    var text = TEXT.matcher(value.toString());
    if (!isScalar(value) || !text.matches() || !text.group(3).isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(SECONDS.get(text.group(2)))
        .map(unit -> unit * Long.parseLong(text.group(1)))
        .filter(seconds -> seconds <= MOST_SECONDS);
  }

  /** A positive number of bytes. */
  public static Optional<Long> bytes(Object value) {
    if (!isScalar(value)) {
      return Optional.empty();
    }
    if (PLAIN.matcher(value.toString()).matches()) {
      return Optional.of(Long.parseLong(value.toString())).filter(bytes -> bytes > 0);
    }
    var text = TEXT.matcher(value.toString());
    return text.matches()
        ? Optional.ofNullable(BYTES.get(text.group(2)))
            .map(unit -> unit * Long.parseLong(text.group(1)))
            .filter(bytes -> bytes > 0)
        : Optional.empty();
  }

  private static boolean isScalar(Object value) {
    return value instanceof String || value instanceof Long;
  }

  private Quantities() {}
}
