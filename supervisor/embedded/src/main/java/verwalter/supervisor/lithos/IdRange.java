package verwalter.supervisor.lithos;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers from {@code low} to {@code high}, inclusive; a reversed range is empty. */
record IdRange(long low, long high) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,10})(?:-([0-9]{1,10}))?");

  static IdRange read(Value value) {
    var text = value.text();
    var match = TEXT.matcher(text);
    if (!match.matches()) {
      value.problem("expected a number or a range such as 1000-1999, found \"" + text + "\"");
      return new IdRange(1, 0);
    }
    long low = Long.parseLong(match.group(1));
    return new IdRange(low, Optional.ofNullable(match.group(2)).map(Long::parseLong).orElse(low));
  }

  boolean holds(long number) {
    return low <= number && number <= high;
  }

  static boolean anyHolds(List<IdRange> ranges, long number) {
    return ranges.stream().anyMatch(range -> range.holds(number));
  }

  @Override
  public String toString() {
    return low == high ? Long.toString(low) : low + "-" + high;
  }
}
