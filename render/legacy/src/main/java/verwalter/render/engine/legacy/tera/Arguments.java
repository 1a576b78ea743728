package verwalter.render.engine.legacy.tera;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a filter: the value before the bar, and named arguments. */
record Arguments(
    String filter,
    @Nullable Object value,
    Map<String, @Nullable Object> named,
    RenderBudget budget) {

  boolean has(String name) {
    return named.containsKey(name);
  }

  @Nullable Object any(String name) {
    if (!has(name)) {
      throw new TemplateError("`" + filter + "` needs the argument `" + name + "`");
    }
    return named.get(name);
  }

  String text(String name) {
    var given = any(name);
    if (given instanceof String text) {
      return text;
    }
    throw new TemplateError(
        "the argument `%s` of `%s` is a text, not %s"
            .formatted(name, filter, TeraValues.type(given)));
  }

  String text(String name, String otherwise) {
    return has(name) ? text(name) : otherwise;
  }

  long integer(String name) {
    var given = any(name);
    if (given instanceof Long number) {
      return number;
    }
    throw new TemplateError(
        "the argument `%s` of `%s` is an integer, not %s"
            .formatted(name, filter, given instanceof Number ? given : TeraValues.type(given)));
  }

  long integer(String name, long otherwise) {
    return has(name) ? integer(name) : otherwise;
  }

  TemplateError takes(String wanted) {
    return new TemplateError(
        "`" + filter + "` takes " + wanted + ", not " + TeraValues.type(value));
  }
}
