package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/** Writes values as JSON, on one line or indented by two. */
final class TeraJson {
  private final Consumer<String> out;
  private final boolean pretty;

  private TeraJson(Consumer<String> out, boolean pretty) {
    this.out = out;
    this.pretty = pretty;
  }

  static String of(@Nullable Object value, boolean pretty, RenderBudget budget) {
    var output = new Output(budget.bounds().text());
    new TeraJson(output::append, pretty).value(value, 0);
    return budget.paid(output.toString());
  }

  private void value(@Nullable Object value, int depth) {
    if (value instanceof Map<?, ?> map) {
      map(map, depth);
    } else if (value instanceof List<?> list) {
      list(list, depth);
    } else if (value instanceof String text) {
      string(text);
    } else {
      out.accept(value instanceof Double number ? Json.canonical(number) : String.valueOf(value));
    }
  }

  private void map(Map<?, ?> map, int depth) {
    out.accept("{");
    boolean first = true;
    for (var entry : map.entrySet()) {
      item(first, depth);
      first = false;
      string(String.valueOf(entry.getKey()));
      out.accept(pretty ? ": " : ":");
      value(entry.getValue(), depth + 1);
    }
    end(first, depth, "}");
  }

  private void list(List<?> list, int depth) {
    out.accept("[");
    boolean first = true;
    for (var each : list) {
      item(first, depth);
      first = false;
      value(each, depth + 1);
    }
    end(first, depth, "]");
  }

  private void item(boolean first, int depth) {
    if (!first) {
      out.accept(",");
    }
    if (pretty) {
      out.accept("\n" + "  ".repeat(depth + 1));
    }
  }

  private void end(boolean empty, int depth, String bracket) {
    if (pretty && !empty) {
      out.accept("\n" + "  ".repeat(depth));
    }
    out.accept(bracket);
  }

  private void string(String text) {
    var json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        case '\b' -> json.append("\\b");
        case '\f' -> json.append("\\f");
        default -> json.append(letter < ' ' ? "\\u%04x".formatted((int) letter) : letter);
      }
    }
    out.accept(json.append('"').toString());
  }
}
