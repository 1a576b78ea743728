package verwalter.render.engine.handlebars;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.PlainDecimal;

/** Prints values as upstream's Handlebars and Tera do. */
final class ValueFormatter {
  static String format(@Nullable Object value) {
    if (value instanceof Map<?, ?>) {
      return "[object]";
    }
    if (value instanceof Collection<?> list) {
      var text = new StringBuilder("[");
      list.forEach(each -> text.append(format(each)).append(", "));
      return text.append(']').toString();
    }
    if (value instanceof Double number) {
      return PlainDecimal.of(number);
    }
    return value == null ? "" : value.toString();
  }

  private ValueFormatter() {}
}
