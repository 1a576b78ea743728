package verwalter.scheduler.lua;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The modules that one program has required. Each is loaded once; a module cannot require itself.
 */
public final class Modules<V> {
  /** The libraries that {@code require} returns without a file. */
  public static final List<String> LIBRARIES =
      List.of("_G", "table", "string", "utf8", "math", "debug");

  private final Map<String, V> loaded = new HashMap<>();
  private final List<String> loading = new ArrayList<>();

  /** Counts a module as loaded. */
  public void add(String name, V value) {
    loaded.put(name, value);
  }

  /**
   * The value of a module.
   *
   * @param load runs the module if it has not been loaded yet
   * @param error makes the error for a module that requires itself
   */
  public V require(
      String name, Function<String, V> load, Function<String, ? extends RuntimeException> error) {
    @Nullable V known = loaded.get(name);
    if (known != null) {
      return known;
    }
    if (loading.contains(name)) {
      throw error.apply(
          "module '" + name + "' requires itself: " + String.join(" -> ", loading) + " -> " + name);
    }
    loading.add(name);
    try {
      var value = load.apply(name);
      loaded.put(name, value);
      return value;
    } finally {
      loading.remove(loading.size() - 1);
    }
  }
}
