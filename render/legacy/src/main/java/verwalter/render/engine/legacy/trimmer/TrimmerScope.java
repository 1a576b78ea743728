package verwalter.render.engine.legacy.trimmer;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The names of a block and of its enclosing blocks. */
final class TrimmerScope {
  private final @Nullable TrimmerScope outer;
  private final Map<String, Object> names;

  /** The outermost scope. */
  TrimmerScope(Map<String, Object> variables) {
    this.outer = null;
    this.names = variables;
  }

  TrimmerScope(TrimmerScope outer) {
    this.outer = outer;
    this.names = new HashMap<>();
  }

  void let(String name, Object value) {
    names.put(name, value);
  }

  Optional<Object> find(String name) {
    for (@Nullable TrimmerScope scope = this; scope != null; scope = scope.outer) {
      if (scope.names.containsKey(name)) {
        return Optional.of(TrimmerValues.of(scope.names.get(name)));
      }
    }
    return Optional.empty();
  }

  Set<String> all() {
    var all = new TreeSet<String>();
    for (@Nullable TrimmerScope scope = this; scope != null; scope = scope.outer) {
      all.addAll(scope.names.keySet());
    }
    return all;
  }
}
