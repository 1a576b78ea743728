package verwalter.cli;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.cli.json.JsonPath;
import verwalter.cli.json.JsonPathException;
import verwalter.client.Item;

/** The order of {@code --sort-by}: numbers by value, texts by letters, missing values first. */
final class Order implements Comparator<Item> {
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
    return one instanceof Number left && other instanceof Number right
        ? Double.compare(left.doubleValue(), right.doubleValue())
        : one.toString().compareTo(other.toString());
  }
}
