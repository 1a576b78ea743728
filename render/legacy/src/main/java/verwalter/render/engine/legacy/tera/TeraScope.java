package verwalter.render.engine.legacy.tera;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The variables at a position of a template: those set here, then those of the enclosing scopes.
 */
final class TeraScope {
  private final Map<String, @Nullable Object> values = new HashMap<>();
  private final Map<String, Object> given;
  private final @Nullable TeraScope outer;

  private TeraScope(Map<String, Object> given, @Nullable TeraScope outer) {
    this.given = given;
    this.outer = outer;
  }

  /** A scope with only these values. */
  static TeraScope of(Map<String, Object> given) {
    return new TeraScope(given, null);
  }

  TeraScope inner() {
    return new TeraScope(Map.of(), this);
  }

  void set(String name, @Nullable Object value) {
    values.put(name, value);
  }

  /** Sets a variable in the outermost scope. */
  void setGlobally(String name, @Nullable Object value) {
    outermost().set(name, value);
  }

  private TeraScope outermost() {
    var scope = this;
    while (scope.outer != null) {
      scope = scope.outer;
    }
    return scope;
  }

  /** The map that contains the name, whose value may be null. */
  Optional<Map<String, @Nullable Object>> holder(String name) {
    for (var scope = this; scope != null; scope = scope.outer) {
      if (scope.values.containsKey(name)) {
        return Optional.of(scope.values);
      }
      if (scope.given.containsKey(name)) {
        return Optional.of(Collections.unmodifiableMap(scope.given));
      }
    }
    return Optional.empty();
  }

  SortedSet<String> names() {
    var names = new TreeSet<String>();
    for (var scope = this; scope != null; scope = scope.outer) {
      names.addAll(scope.values.keySet());
      names.addAll(scope.given.keySet());
    }
    return names;
  }

  /** All variables of a template: those given and those set. */
  Map<String, @Nullable Object> context() {
    var scope = outermost();
    var sorted = new java.util.TreeMap<String, @Nullable Object>(TeraValues.BY_CODE_POINT);
    sorted.putAll(scope.given);
    sorted.putAll(scope.values);
    return new LinkedHashMap<>(sorted);
  }
}
