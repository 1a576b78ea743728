package verwalter.ui.v1;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/** JSON as one assignment per line, for grep. */
public final class Gron {

  /** The whole text; each line ends with a newline. */
  public static String text(JsonNode tree) {
    var text = new StringBuilder();
    lines(tree, line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** Every line, depth first, in the order of the tree. */
  public static void lines(JsonNode tree, Consumer<String> to) {
    walk("json", tree, to);
  }

  private static void walk(String path, JsonNode node, Consumer<String> to) {
    if (node.isObject()) {
      to.accept(path + " = {}");
      node.properties().forEach(each -> walk(path + "." + each.getKey(), each.getValue(), to));
    } else if (node.isArray()) {
      to.accept(path + " = []");
      for (int i = 0; i < node.size(); i++) {
        walk(path + "[" + i + "]", node.get(i), to);
      }
    } else {
      to.accept(path + " = " + (node.isTextual() ? quoted(node.asText()) : node.toString()));
    }
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\'' -> quoted.append("\\'");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case 0 -> quoted.append("\\0");
                default -> {
                  if (Character.isISOControl(c)) {
                    quoted.append("\\u{").append(Integer.toHexString(c)).append('}');
                  } else {
                    quoted.appendCodePoint(c);
                  }
                }
              }
            });
    return quoted.append('"').toString();
  }

  private Gron() {}
}
