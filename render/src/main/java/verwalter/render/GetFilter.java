package verwalter.render;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tera's {@code map | get(key="name")}. */
final class GetFilter implements Filter {
  @Override
  public String getName() {
    return "get";
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value,
      JinjavaInterpreter in,
      Object[] arguments,
      Map<String, Object> named) {
    var key = String.valueOf(arguments.length > 0 ? arguments[0] : named.get("key"));
    if (!(value instanceof Map<?, ?> map)) {
      return null;
    }
    if (map.containsKey(key)) {
      return StrictInterpreter.of(in).wrap(map.get(key));
    }
    if (named.containsKey("default")) {
      return named.get("default");
    }
    var known = new TreeSet<String>();
    map.keySet().forEach(each -> known.add(String.valueOf(each)));
    StrictInterpreter.of(in).missed(key, known);
    return null;
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
    return filter(value, interpreter, arguments, Map.of());
  }
}
