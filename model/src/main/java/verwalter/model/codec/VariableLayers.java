package verwalter.model.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.codec.VariableOrigins.Layer;
import verwalter.model.codec.VariableOrigins.Set;
import verwalter.model.json.Json;

/**
 * The values of each layer of a schedule for the variables of one role on one node. Pure.
 *
 * <p>For each key, the most specific of four layers wins: the role on the node, the node, the role,
 * all nodes. If the winning value is an object, the objects of other layers for the same key are
 * merged into it, one level deep. {@code role} is always the name of the role. {@code node} is the
 * name of the node unless a layer has a value other than null. A value of another type in place of
 * an object counts as empty.
 *
 * @param sets all values of each variable, the winning value first; never empty
 */
record VariableLayers(SortedMap<String, List<Set>> sets) {

  /** Empty if the schedule does not assign the role to the node. */
  static Optional<VariableLayers> of(Map<String, Object> data, String node, String role) {
    var here = object(object(data, "nodes"), node);
    var roles = object(here, "roles");
    if (!roles.containsKey(role)) {
      return Optional.empty();
    }
    var layers = new LinkedHashMap<Layer, Map<String, Object>>();
    layers.put(Layer.NODE_ROLE, object(roles, role));
    layers.put(Layer.NODE, object(here, "vars"));
    layers.put(Layer.ROLE, object(object(data, "roles"), role));
    layers.put(Layer.GLOBAL, object(data, "vars"));
    var sets = new TreeMap<String, List<Set>>(Json.BY_CODE_POINT);
    layers.forEach(
        (layer, values) ->
            values.forEach((name, value) -> list(sets, name).add(new Set(layer, value))));
    list(sets, "role").add(0, new Set(Layer.BUILT_IN, role));
    var nodes = list(sets, "node");
    if (nodes.isEmpty() || nodes.get(0).value() == null) {
      nodes.add(0, new Set(Layer.BUILT_IN, node));
    }
    return Optional.of(new VariableLayers(sets));
  }

  private static List<Set> list(Map<String, List<Set>> sets, String name) {
    return sets.computeIfAbsent(name, any -> new ArrayList<>());
  }

  /** The roles that the schedule assigns to a node. */
  static Iterable<String> roles(Map<String, Object> data, String node) {
    return object(object(object(data, "nodes"), node), "roles").keySet();
  }

  /** All values of each field of a variable that is an object, the winning value first. */
  static SortedMap<String, List<Set>> fields(List<Set> variable) {
    var fields = new TreeMap<String, List<Set>>(Json.BY_CODE_POINT);
    for (var set : variable) {
      if (set.value() instanceof Map<?, ?> object) {
        Json.object(object)
            .forEach((name, value) -> list(fields, name).add(new Set(set.layer(), value)));
      }
    }
    return fields;
  }

  /** Whether the winning value is an object, which is merged. */
  static boolean isObject(List<Set> variable) {
    return variable.get(0).value() instanceof Map<?, ?>;
  }

  /** The winning values. */
  Map<String, Object> merged() {
    var merged = new LinkedHashMap<String, @Nullable Object>();
    sets.forEach(
        (name, variable) ->
            merged.put(
                name, isObject(variable) ? first(fields(variable)) : variable.get(0).value()));
    return Json.freeze(Json.object(merged));
  }

  private static Map<String, @Nullable Object> first(SortedMap<String, List<Set>> sets) {
    var first = new LinkedHashMap<String, @Nullable Object>();
    sets.forEach((name, values) -> first.put(name, values.get(0).value()));
    return Collections.unmodifiableMap(first);
  }

  private static Map<String, Object> object(Map<String, Object> parent, String key) {
    return Optional.ofNullable(parent.get(key)).map(Json::object).orElse(Map.of());
  }
}
