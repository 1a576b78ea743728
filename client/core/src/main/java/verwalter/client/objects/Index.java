package verwalter.client.objects;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import verwalter.model.Resource;

/** An index of objects. Objects with a key are sorted by name. */
final class Index<S, T> {
  private final Function<Resource<S, T>, Collection<String>> keys;
  private final Map<String, TreeMap<String, Resource<S, T>>> objects = new HashMap<>();

  /**
   * @param keys returns the keys of an object
   */
  Index(Function<Resource<S, T>, Collection<String>> keys) {
    this.keys = keys;
  }

  void put(Resource<S, T> object) {
    for (var key : keys.apply(object)) {
      objects.computeIfAbsent(key, k -> new TreeMap<>()).put(object.name(), object);
    }
  }

  void remove(Resource<S, T> object) {
    for (var key : keys.apply(object)) {
      var named = objects.get(key);
      if (named != null) {
        named.remove(object.name());
        if (named.isEmpty()) {
          objects.remove(key);
        }
      }
    }
  }

  List<Resource<S, T>> named(String key) {
    var named = objects.get(key);
    return named == null ? List.of() : List.copyOf(named.values());
  }
}
