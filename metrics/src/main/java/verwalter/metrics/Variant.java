package verwalter.metrics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A variant in cantal's form: a list of a name and its arguments. */
record Variant(String what, String name, List<@Nullable Object> arguments) {
  /**
   * Reads one.
   *
   * @param what its name in messages
   */
  static Variant read(@Nullable Object value, String what) throws BadRule {
    if (value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof String name) {
      return new Variant(what, name, new ArrayList<>(list.subList(1, list.size())));
    }
    throw new BadRule(
        "%s is not a list that begins with a name, such as [\"Tip\"]".formatted(what));
  }

  Variant count(int wanted) throws BadRule {
    if (arguments.size() != wanted) {
      throw new BadRule(
          "%s %s takes %d arguments, not %d".formatted(what, name, wanted, arguments.size()));
    }
    return this;
  }

  @Nullable Object argument(int index) {
    return arguments.get(index);
  }

  String text(int index) throws BadRule {
    if (argument(index) instanceof String text) {
      return text;
    }
    throw wrong(index, "a text");
  }

  int points(int index) throws BadRule {
    if (argument(index) instanceof Long number && number >= 1) {
      return (int) Math.min(number, SeriesHistory.POINTS);
    }
    throw wrong(index, "a whole number, at least 1");
  }

  long millis(int index) throws BadRule {
    if (argument(index) instanceof Number number && number.longValue() >= 1) {
      return number.longValue();
    }
    throw wrong(index, "a number of milliseconds");
  }

  boolean truth(int index) throws BadRule {
    if (argument(index) instanceof Boolean truth) {
      return truth;
    }
    throw wrong(index, "true or false");
  }

  BadRule wrong(int index, String wanted) {
    return new BadRule("argument %d of %s %s is not %s".formatted(index + 1, what, name, wanted));
  }

  BadRule unknown(List<String> known) {
    return new BadRule("%s %s is unknown; known are %s".formatted(what, name, known));
  }
}
