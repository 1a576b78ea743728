package verwalter.render.recipe;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Limits the changes of one rendered list between applications: a minimum number of items, and a
 * maximum share of removed items. Pure.
 *
 * @param lines a regular expression; a line that contains a match is an item
 * @param min minimum number of items
 * @param maxShrink maximum share of items removed at once, in percent; 100 allows everything
 */
public record Guard(Pattern lines, int min, int maxShrink) {
  /** The guard of templates without their own: the text must not become empty. */
  private static final Pattern NOT_BLANK = Pattern.compile("\\S");

  private static final Set<String> KEYS = Set.of("lines", "min", "max-shrink");
  private static final int LONGEST_EXPRESSION = 1_000;
  private static final int MOST = 1_000_000_000;

  /** Half of the items, unless the recipe has another value. */
  private static final int HALF = 50;

  static Guard read(LegacyYaml payload) throws RecipeError {
    var fields = payload.fields(KEYS);
    return new Guard(
        fields.containsKey("lines") ? expression(fields.get("lines")) : NOT_BLANK,
        fields.containsKey("min") ? number(fields.get("min"), "a number of items", MOST) : 0,
        fields.containsKey("max-shrink") ? percent(fields.get("max-shrink")) : HALF);
  }

  private static Pattern expression(LegacyYaml value) throws RecipeError {
    var text = value.text();
    if (text.length() > LONGEST_EXPRESSION) {
      throw value.error("an expression has at most " + LONGEST_EXPRESSION + " characters");
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw value.error("`" + text + "` is not a regular expression: " + e.getDescription());
    }
  }

  private static int percent(LegacyYaml value) throws RecipeError {
    return number(value, "a share such as 50 %", 100);
  }

  private static int number(LegacyYaml value, String wanted, int most) throws RecipeError {
    var text = value.text();
    var digits = most == 100 ? text.replaceFirst("\\s*%$", "") : text;
    try {
      int number = Integer.parseInt(digits);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException noNumber) {
      // reported below
    }
    throw value.error("`" + text + "` is not " + wanted + ", from 0 to " + most);
  }

  /** The objection of the guard to a text; empty if it passes. */
  public Optional<String> objection(Optional<String> before, String now) {
    long count = count(now);
    if (count < min) {
      return Optional.of("has " + items(count) + ", fewer than the %d of min".formatted(min));
    }
    long had = before.map(this::count).orElse(0L);
    return (had - count) * 100 > had * maxShrink
        ? Optional.of(
            "would go from %s to %d, and more than %d %% must not go at once"
                .formatted(items(had), count, maxShrink))
        : Optional.empty();
  }

  /** The same for a template without its own guard. */
  public static Optional<String> becomesEmpty(Optional<String> before, String now) {
    long had = before.map(text -> count(NOT_BLANK, text)).orElse(0L);
    return had > 0 && count(NOT_BLANK, now) == 0
        ? Optional.of("would go from %d lines to none".formatted(had))
        : Optional.empty();
  }

  /** The items of a text in order, one per line. */
  public String items(String text) {
    var items = new StringBuilder();
    text.lines()
        .filter(line -> lines.matcher(line).find())
        .forEach(it -> items.append(it).append('\n'));
    return items.toString();
  }

  private long count(String text) {
    return count(lines, text);
  }

  private static long count(Pattern lines, String text) {
    return text.lines().filter(line -> lines.matcher(line).find()).count();
  }

  private static String items(long count) {
    return count == 1 ? "1 item" : count + " items";
  }
}
