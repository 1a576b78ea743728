package verwalter.cli.api;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import verwalter.cli.json.Json;

/**
 * One object of an answer, whole or as a row.
 *
 * @param content the object, or the row with its {@code cells} and {@code object}
 */
public record Item(Map<String, Object> content) {
  /** The items of a list, of a table, or the single object an answer is. */
  public static List<Item> of(Map<String, Object> answer) {
    Stream<Object> contents =
        answer.containsKey("rows")
            ? Json.list(answer, "rows").stream()
            : answer.containsKey("items") ? Json.list(answer, "items").stream() : Stream.of(answer);
    return contents.map(each -> new Item(Json.map(each))).toList();
  }

  /** The object, or of a row what the server sent of it. */
  public Map<String, Object> object() {
    return content.containsKey("cells") ? Json.map(content, "object") : content;
  }

  public String name() {
    return Json.text(object(), "metadata", "name");
  }

  String version() {
    return Json.text(object(), "metadata", "resourceVersion");
  }

  /** What no other object ever had: its uid, or its name where there is none. */
  String identity() {
    var uid = Json.text(object(), "metadata", "uid");
    return uid.isEmpty() ? name() : uid;
  }
}
