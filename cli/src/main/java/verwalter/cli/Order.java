package verwalter.cli;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.cli.json.JsonPath;
import verwalter.cli.json.JsonPathException;
import verwalter.client.Item;

/**
 * The order of {@code --sort-by}: numbers by value, times by time, other texts by letters, missing
 * values first.
 */
final class Order implements Comparator<Item> {
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");

  private final JsonPath path;

  Order(String path) {
    try {
      this.path = JsonPath.path(path);
    } catch (JsonPathException e) {
      throw Failure.usage(e.getMessage(), "for example: --sort-by=.metadata.creationTimestamp");
    }
  }

  @Override
  public int compare(Item one, Item other) {
    return ordered(first(one), first(other));
  }

  private @Nullable Object first(Item item) {
    List<@Nullable Object> found = path.find(item.object());
    return found.isEmpty() ? null : found.get(0);
  }

  private static int ordered(@Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return Boolean.compare(one != null, other != null);
    }
    if (one instanceof Number left && other instanceof Number right) {
      return Double.compare(left.doubleValue(), right.doubleValue());
    }
    return text(one).compareTo(text(other));
  }

  /** A time has fewer digits if it is a whole second, so its zone must not be compared. */
  private static String text(Object value) {
    var text = value.toString();
    return TIME.matcher(text).matches() ? text.substring(0, text.length() - 1) : text;
  }
}
