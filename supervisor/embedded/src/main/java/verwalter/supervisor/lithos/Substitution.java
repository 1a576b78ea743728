package verwalter.supervisor.lithos;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Substitutes {@code @{name}}. */
record Substitution(Map<String, String> values) {
  private static final String PID = "lithos:pid";

  Substitution {
    values = Map.copyOf(values);
  }

  /** The text with values; unknown names are passed to {@code unknown} and are kept. */
  String apply(String text, Consumer<String> unknown) {
    var result = new StringBuilder();
    int at = 0;
    while (true) {
      int start = text.indexOf("@{", at);
      int end = start < 0 ? -1 : text.indexOf('}', start);
      if (end < 0) {
        return result.append(text, at, text.length()).toString();
      }
      var name = text.substring(start + 2, end).strip();
      var value = values.get(name);
      if (value == null) {
        unknown.accept(name);
        value = text.substring(start, end + 1);
      }
      result.append(text, at, start).append(value);
      at = end + 1;
    }
  }

  /** Whether the whole text is the process id, which is known only after the start. */
  static boolean isPid(String text) {
    return text.startsWith("@{")
        && text.endsWith("}")
        && text.substring(2, text.length() - 1).strip().equals(PID);
  }

  /** The names in a text. */
  static Set<String> names(String text) {
    var names = new LinkedHashSet<String>();
    new Substitution(Map.of()).apply(text, names::add);
    return names;
  }
}
