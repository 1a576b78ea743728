package verwalter.render.recipe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.render.Text;

/**
 * Sorts the keys of all nested maps by code point, which is the iteration order of every engine.
 */
public final class SortedVariables {

  public static Map<String, Object> of(Map<String, Object> variables) {
    return map(variables);
  }

  @SuppressWarnings("NullAway") // JSON has nulls
  private static Map<String, Object> map(Map<?, ?> map) {
    var sorted = new TreeMap<String, Object>(Text.BY_CODE_POINT);
    map.forEach((key, value) -> sorted.put(String.valueOf(key), value(value)));
    return Collections.unmodifiableMap(new LinkedHashMap<>(sorted));
  }

  private static @Nullable Object value(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map(map);
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>(list.size());
      list.forEach(each -> copy.add(value(each)));
      return Collections.unmodifiableList(copy);
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  private SortedVariables() {}
}
