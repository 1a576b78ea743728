package verwalter.client;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import verwalter.client.json.PlainJson;

/**
 * An object in an answer, or a row of a table.
 *
 * @param content the object, or the row with its {@code cells} and {@code object}
 */
public record Item(Map<String, Object> content) {
  /** The items of a list or a table. A single object is the only item. */
  public static List<Item> of(Map<String, Object> answer) {
    Stream<Object> contents =
        answer.containsKey("rows")
            ? PlainJson.list(answer, "rows").stream()
            : answer.containsKey("items")
                ? PlainJson.list(answer, "items").stream()
                : Stream.of(answer);
    return contents.map(each -> new Item(PlainJson.map(each))).toList();
  }

  /** The object. For a row, the part of the object that the server sent. */
  public Map<String, Object> object() {
    return content.containsKey("cells") ? PlainJson.map(content, "object") : content;
  }

  public String name() {
    return PlainJson.text(object(), "metadata", "name");
  }

  String version() {
    return PlainJson.text(object(), "metadata", "resourceVersion");
  }

  /** The unique uid; the name if there is none. */
  String identity() {
    var uid = PlainJson.text(object(), "metadata", "uid");
    return uid.isEmpty() ? name() : uid;
  }
}
