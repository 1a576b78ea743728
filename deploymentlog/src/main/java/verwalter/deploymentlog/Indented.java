package verwalter.deploymentlog;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/** JSON with an indentation of two blanks. Pure. */
final class Indented {

  /** Fields in the given order; keys below them sorted alphabetically. */
  static String json(Map<String, ?> fields) {
    var text = new StringBuilder();
    object(text, fields, "\n");
    return text.toString();
  }

  private static void object(StringBuilder text, Map<?, ?> map, String end) {
    var inner = end + "  ";
    Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
    for (char before = '{'; entries.hasNext(); before = ',') {
      var entry = entries.next();
      text.append(before).append(inner);
      text.append(Json.canonical(entry.getKey())).append(": ");
      add(text, entry.getValue(), inner);
    }
    text.append(end).append('}');
  }

  private static void add(StringBuilder text, @Nullable Object value, String end) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      object(text, new TreeMap<>(map), end);
    } else if (value instanceof Collection<?> list && !list.isEmpty()) {
      var inner = end + "  ";
      var items = list.iterator();
      for (char before = '['; items.hasNext(); before = ',') {
        text.append(before).append(inner);
        add(text, items.next(), inner);
      }
      text.append(end).append(']');
    } else {
      text.append(Json.canonical(value));
    }
  }

  private Indented() {}
}
