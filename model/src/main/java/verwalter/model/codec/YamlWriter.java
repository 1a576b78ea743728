package verwalter.model.codec;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes trees as YAML in the style of {@code kubectl}: block style, indented by two spaces, lists
 * not indented. Quotes each string that a reader of YAML 1.1 or 1.2 would read as another type.
 * Strings of several lines are literal blocks where that preserves every character.
 */
final class YamlWriter {
  /** Letters of any script, and characters without a special meaning inside a line. */
  private static final Pattern LINE =
      Pattern.compile("[\\p{L}_/][\\p{L}0-9_/.@+=()$%~<>;!?*^&|'\"\\\\:,{}\\[\\]# -]*");

  /** Booleans of YAML 1.1 and numbers of runtime metadata, in lower case. */
  private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "nan", "inf");

  /**
   * Several lines that begin and end with a visible character, followed by at most one line end.
   */
  private static final Pattern BLOCK =
      Pattern.compile(
          "[\\p{L}0-9\\p{Punct}]([\\p{L}0-9\\p{Punct} \\n]*[\\p{L}0-9\\p{Punct}])?\\n?");

  /** Longer keys are written in the explicit form. Readers accept up to 1024 characters. */
  private static final int LONGEST_KEY = 200;

  private final StringBuilder out = new StringBuilder();

  static String text(JsonNode tree) {
    var yaml = new YamlWriter();
    yaml.rest(tree, 0, 0);
    return yaml.out.toString();
  }

  /** Writes a value after its key. Nested collections that are not empty begin on the next line. */
  private void value(JsonNode node, int indent) {
    if (node.isEmpty() || !node.isContainerNode()) {
      out.append(' ');
      leaf(node, indent);
    } else {
      out.append('\n');
      rest(node, node.isArray() ? indent : indent + 2, -1);
    }
  }

  /**
   * Writes a value at the present position; {@code begun} is the present column, or -1 on a new
   * line.
   */
  private void rest(JsonNode node, int indent, int begun) {
    if (node.isEmpty() || !node.isContainerNode()) {
      leaf(node, indent);
      return;
    }
    var margin = " ".repeat(indent);
    boolean first = begun >= 0;
    if (node.isObject()) {
      for (var field : node.properties()) {
        out.append(first ? "" : margin);
        key(field.getKey(), margin);
        value(field.getValue(), indent);
        first = false;
      }
    } else {
      for (var item : node) {
        out.append(first ? "" : margin).append("- ");
        rest(item, item.isContainerNode() ? indent + 2 : indent, indent + 2);
        first = false;
      }
    }
  }

  private void key(String name, String margin) {
    var text = isPlain(name) ? name : quoted(name);
    if (text.length() <= LONGEST_KEY) {
      out.append(text).append(':');
    } else {
      out.append("? ").append(text).append('\n').append(margin).append(':');
    }
  }

  private void leaf(JsonNode node, int indent) {
    if (node.isTextual() && isBlock(node.textValue())) {
      block(node.textValue(), " ".repeat(indent + 2));
    } else if (node.isTextual()) {
      var text = node.textValue();
      out.append(isPlain(text) ? text : quoted(text)).append('\n');
    } else {
      out.append(node).append('\n'); // numbers, booleans, null, {} and [] as in JSON
    }
  }

  private void block(String text, String margin) {
    boolean ended = text.endsWith("\n");
    out.append(ended ? "|\n" : "|-\n");
    var lines = ended ? text.substring(0, text.length() - 1) : text;
    for (var line : lines.split("\n", -1)) {
      out.append(line.isEmpty() ? "" : margin).append(line).append('\n');
    }
  }

  private static boolean isPlain(String text) {
    return LINE.matcher(text).matches()
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.endsWith(":")
        && !text.endsWith(" ")
        && !WORDS.contains(text.toLowerCase(Locale.ROOT))
        && YamlScalar.isText(text);
  }

  private static boolean isBlock(String text) {
    return text.indexOf('\n') > 0 && !text.contains(" \n") && BLOCK.matcher(text).matches();
  }

  /** The text in double quotes, with special and invisible characters escaped. */
  private static String quoted(String text) {
    var out = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"', '\\' -> out.append('\\').append((char) c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                  if (isShown(c)) {
                    out.appendCodePoint(c);
                  } else if (c <= 0xffff) {
                    out.append(String.format(Locale.ROOT, "\\u%04x", c));
                  } else {
                    out.append(String.format(Locale.ROOT, "\\U%08x", c));
                  }
                }
              }
            });
    return out.append('"').toString();
  }

  private static boolean isShown(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> c != 0xa0;
    };
  }

  private YamlWriter() {}
}
