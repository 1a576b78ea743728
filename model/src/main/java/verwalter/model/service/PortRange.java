package verwalter.model.service;

import java.util.regex.Pattern;

/**
 * TCP ports from {@code low} to {@code high}, both included.
 *
 * @param low from 1
 * @param high up to 65535
 */
public record PortRange(int low, int high) {
  static final int HIGHEST = 65_535;
  static final String TEXTS = "([0-9]{1,5})(?:-([0-9]{1,5}))?";
  private static final Pattern TEXT = Pattern.compile(TEXTS);

  public PortRange {
    if (low < 1 || high > HIGHEST || low > high) {
      throw new IllegalArgumentException("no range of ports: " + low + "-" + high);
    }
  }

  /**
   * Reads a port or a range.
   *
   * @param field its name in errors
   * @throws IllegalArgumentException if it is neither
   */
  static PortRange of(String field, Object value) {
    var text = TEXT.matcher(String.valueOf(value));
    if (text.matches()) {
      int low = Integer.parseInt(text.group(1));
      int high = text.group(2) == null ? low : Integer.parseInt(text.group(2));
      if (low >= 1 && high <= HIGHEST && low <= high) {
        return new PortRange(low, high);
      }
    }
    throw new IllegalArgumentException(
        "%s must be a port or a range such as 10200-10299, not %s".formatted(field, value));
  }

  /** {@code 10200-10299}, as in the metadata of versions. */
  @Override
  public String toString() {
    return low + "-" + high;
  }
}
