package verwalter.render.engine.handlebars;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map within a block. Block parameters hide entries of the same name, except from loops. */
final class BlockScope extends AbstractMap<Object, Object> {
  private final Map<Object, Object> map;
  private final Map<String, Object> names;

  private BlockScope(Map<Object, Object> map, Map<String, Object> names) {
    this.map = map;
    this.names = names;
  }

  @SuppressWarnings("unchecked")
  static Object by(Map<String, Object> names, Object value) {
    return value instanceof Map<?, ?> map && !names.isEmpty()
        ? new BlockScope(
            (Map<Object, Object>) (map instanceof BlockScope inner ? inner.map : map), names)
        : value;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    return names.containsKey(key) ? names.get(key) : map.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return names.containsKey(key) || map.containsKey(key);
  }

  @Override
  public Set<Map.Entry<Object, Object>> entrySet() {
    return map.entrySet();
  }
}
