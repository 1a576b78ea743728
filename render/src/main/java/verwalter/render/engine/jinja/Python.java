package verwalter.render.engine.jinja;

import com.hubspot.jinjava.objects.SafeString;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;
import verwalter.render.Text;
import verwalter.render.engine.LimitedWriter;

/** Formats values as Python does, which is how Jinja prints them. */
final class Python {
  private static final int LEAST_EXPONENT = -4;
  private static final int MOST_EXPONENT = 16;

  private final StringBuilder out = new StringBuilder();
  private final int limit;

  private Python(int limit) {
    this.limit = limit;
  }

  /** The result of {@code str(value)}. */
  static String text(@Nullable Object value, int limit) {
    if (value instanceof Boolean || value instanceof Number || value == null || isNested(value)) {
      return shown(value, limit);
    }
    return word(value);
  }

  /** The type name of other objects, without an address, so that equal input gives equal output. */
  private static String word(Object value) {
    return isText(value) ? value.toString() : "<" + value.getClass().getSimpleName() + ">";
  }

  /** The result of {@code repr(value)}. */
  static String shown(@Nullable Object value, int limit) {
    var python = new Python(limit);
    python.show(value);
    return python.out.toString();
  }

  /**
   * The result of {@code json.dumps(value, sort_keys=True)}, safe within HTML.
   *
   * @param indent the indentation of nested lines; one line if null
   */
  static String json(@Nullable Object value, @Nullable Integer indent, int limit) {
    var python = new Python(limit);
    python.writeJson(value, indent, 0);
    return python.out.toString();
  }

  static boolean isText(@Nullable Object value) {
    return value instanceof CharSequence || value instanceof SafeString;
  }

  /** A value that a check found to be present. */
  static <V> V present(@Nullable V value) {
    return Objects.requireNonNull(value);
  }

  /** The type with its article, for errors. */
  static String type(@Nullable Object value) {
    if (value == null) {
      return "none";
    }
    if (isText(value)) {
      return "a text";
    }
    if (value instanceof Boolean) {
      return "a boolean";
    }
    if (value instanceof Number) {
      return "a number";
    }
    if (value instanceof Map) {
      return "a map";
    }
    return isNested(value) ? "a list" : "an object";
  }

  static boolean isNested(@Nullable Object value) {
    return value instanceof Map
        || value instanceof List
        || value instanceof Set
        || value instanceof Map.Entry;
  }

  private void add(String text) {
    if (out.length() + text.length() > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    out.append(text);
  }

  private void show(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      var entries = map.entrySet().iterator();
      items("{", entries, this::entry, "}");
    } else if (value instanceof Map.Entry<?, ?> pair) {
      add("(");
      show(pair.getKey());
      add(", ");
      show(pair.getValue());
      add(")");
    } else if (value instanceof Iterable<?> list && isNested(value)) {
      items("[", list.iterator(), this::show, "]");
    } else if (value instanceof Boolean flag) {
      add(flag ? "True" : "False");
    } else if (value instanceof Double || value instanceof Float) {
      add(number(((Number) value).doubleValue()));
    } else if (value == null || value instanceof Number) {
      add(value == null ? "None" : value.toString());
    } else {
      add(quoted(word(value)));
    }
  }

  private void entry(Map.Entry<?, ?> entry) {
    show(entry.getKey());
    add(": ");
    show(entry.getValue());
  }

  private <T> void items(
      String open, Iterator<? extends T> items, java.util.function.Consumer<T> show, String close) {
    add(open);
    while (items.hasNext()) {
      show.accept(items.next());
      add(items.hasNext() ? ", " : "");
    }
    add(close);
  }

  /** In single quotes, unless only double quotes avoid escaping. */
  private static String quoted(String text) {
    char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
    var escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    escaped = escaped.replace("\t", "\\t");
    return quote + (quote == '\'' ? escaped.replace("'", "\\'") : escaped) + quote;
  }

  static String number(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
    }
    if (number == 0) {
      return Double.toString(number);
    }
    var decimal = new BigDecimal(Json.canonical(number)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= LEAST_EXPONENT && exponent < MOST_EXPONENT) {
      var plain = decimal.toPlainString();
      return plain.contains(".") ? plain : plain + ".0";
    }
    var digits = decimal.scaleByPowerOfTen(-exponent).toPlainString();
    return "%se%s%02d".formatted(digits, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private void writeJson(@Nullable Object value, @Nullable Integer indent, int depth) {
    if (value instanceof Map<?, ?> map) {
      var sorted = new TreeMap<String, @Nullable Object>(Text.BY_CODE_POINT);
      map.forEach((key, each) -> sorted.put(String.valueOf(key), each));
      jsonItems(
          "{",
          sorted.entrySet().iterator(),
          entry -> {
            jsonText(entry.getKey());
            add(": ");
            writeJson(entry.getValue(), indent, depth + 1);
          },
          "}",
          indent,
          depth);
    } else if (value instanceof Iterable<?> list && isNested(value)) {
      jsonItems(
          "[", list.iterator(), each -> writeJson(each, indent, depth + 1), "]", indent, depth);
    } else if (value == null || value instanceof Boolean || value instanceof Number) {
      add(value instanceof Double number ? number(number) : String.valueOf(value));
    } else {
      jsonText(word(value));
    }
  }

  private <T> void jsonItems(
      String open,
      Iterator<? extends T> items,
      java.util.function.Consumer<T> show,
      String close,
      @Nullable Integer indent,
      int depth) {
    boolean breaks = indent != null && items.hasNext();
    add(open);
    while (items.hasNext()) {
      add(breaks ? lineBreak(indent, depth + 1) : "");
      show.accept(items.next());
      add(!items.hasNext() ? "" : breaks ? "," : ", ");
    }
    add((breaks ? lineBreak(indent, depth) : "") + close);
  }

  private String lineBreak(@Nullable Integer indent, int depth) {
    long width = indent == null ? 0 : Math.max(0L, indent) * depth;
    if (width > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    return "\n" + " ".repeat((int) width);
  }

  private void jsonText(String text) {
    var json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          boolean plain = letter >= ' ' && letter < 0x7f && "<>&'".indexOf(letter) < 0;
          json.append(plain ? String.valueOf(letter) : "\\u%04x".formatted((int) letter));
        }
      }
    }
    add(json.append('"').toString());
  }
}
