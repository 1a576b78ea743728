package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.util.ObjectTruthValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code x | default(y)}, {@code default(value=y)} and Jinja's {@code default(y, true)}, which also
 * replaces false values. Keeps the type of the default.
 */
final class DefaultFilter implements Filter {
  private final String name;

  DefaultFilter(String name) {
    this.name = name;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value,
      JinjavaInterpreter in,
      Object[] arguments,
      Map<String, Object> named) {
    boolean missing = value == null && StrictInterpreter.of(in).lookups().forgive();
    boolean truthy =
        Boolean.TRUE.equals(arguments.length > 1 ? arguments[1] : named.get("boolean"));
    if (!missing && (!truthy || ObjectTruthValue.evaluate(value))) {
      return value;
    }
    var fallback =
        arguments.length > 0
            ? arguments[0]
            : named.getOrDefault("value", named.get("default_value"));
    return fallback == null ? "" : fallback;
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
    return filter(value, interpreter, arguments, Map.of());
  }
}
