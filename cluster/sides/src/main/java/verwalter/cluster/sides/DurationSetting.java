package verwalter.cluster.sides;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads durations of role settings: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}. */
final class DurationSetting {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(ms|s|m|h)?");

  /** Returns the duration; empty if the value is none. A plain number is in seconds. */
  static Optional<Duration> read(Object value) {
    var text = TEXT.matcher(value.toString());
    if (!(value instanceof String || value instanceof Number) || !text.matches()) {
      return Optional.empty();
    }
    long count = Long.parseLong(text.group(1));
    var unit = text.group(2) == null ? "s" : text.group(2);
    return Optional.of(
        switch (unit) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          default -> Duration.ofHours(count);
        });
  }

  private DurationSetting() {}
}
