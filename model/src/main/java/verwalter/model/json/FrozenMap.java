package verwalter.model.json;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A map that {@link Json#freeze} made: nobody can change it or what it holds. */
final class FrozenMap<K, V extends @Nullable Object> extends AbstractMap<K, V> {
  private final Map<K, V> entries;

  /** Takes the map over: the caller forgets it. */
  FrozenMap(Map<K, V> entries) {
    this.entries = Collections.unmodifiableMap(entries);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return entries.entrySet();
  }

  @Override
  public Set<K> keySet() {
    return entries.keySet();
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return entries.containsKey(key);
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return entries.get(key);
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    entries.forEach(action);
  }
}
