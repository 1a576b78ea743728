package verwalter.model.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * Which layer of a schedule sets each variable of a role on a node, and what it hides (verwalter.md
 * 7.1). Pure.
 */
public final class VariableOrigins {

  /** Where a value comes from, the most specific first. */
  public enum Layer {
    /** The role on that node. */
    NODE_ROLE("node role"),
    /** The node. */
    NODE("node"),
    /** The role everywhere. */
    ROLE("role"),
    /** Everybody. */
    GLOBAL("global"),
    /** No layer: always there. */
    BUILT_IN("built in");

    private final String words;

    Layer(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }

  /** A value that a layer has; null is a value too. */
  public record Set(Layer layer, @Nullable Object value) {}

  /**
   * One variable, or one field of a variable that is an object.
   *
   * @param name the variable, or {@code variable.field}
   * @param set what counts
   * @param hidden what would count without the layers above it, the nearest first
   */
  public record Origin(String name, Set set, List<Set> hidden) {
    public Origin {
      hidden = List.copyOf(hidden);
    }
  }

  /** The variables in order; empty if the schedule does not put the role on the node. */
  public static List<Origin> of(Map<String, Object> data, String node, String role) {
    var here = object(object(data, "nodes"), node);
    var roles = object(here, "roles");
    if (!roles.containsKey(role)) {
      return List.of();
    }
    var layers = new LinkedHashMap<Layer, Map<String, Object>>();
    layers.put(Layer.NODE_ROLE, object(roles, role));
    layers.put(Layer.NODE, object(here, "vars"));
    layers.put(Layer.ROLE, object(object(data, "roles"), role));
    layers.put(Layer.GLOBAL, object(data, "vars"));
    var origins = new TreeMap<String, List<Origin>>();
    var names = new TreeSet<String>();
    layers.values().forEach(layer -> names.addAll(layer.keySet()));
    for (var name : names) {
      var sets = sets(layers, name);
      origins.put(
          name,
          sets.get(0).value() instanceof Map<?, ?>
              ? fields(name, sets)
              : List.of(origin(name, sets)));
    }
    var always = new Set(Layer.BUILT_IN, role);
    var before = new ArrayList<Set>(sets(layers, "role"));
    before.add(0, always);
    origins.put("role", List.of(origin("role", before)));
    origins.putIfAbsent("node", List.of(origin("node", List.of(new Set(Layer.BUILT_IN, node)))));
    return origins.values().stream().flatMap(List::stream).toList();
  }

  /** Every layer that has the name, the most specific first. */
  private static List<Set> sets(Map<Layer, Map<String, Object>> layers, String name) {
    var sets = new ArrayList<Set>();
    layers.forEach(
        (layer, values) -> {
          if (values.containsKey(name)) {
            sets.add(new Set(layer, values.get(name)));
          }
        });
    return sets;
  }

  private static Origin origin(String name, List<Set> sets) {
    return new Origin(name, sets.get(0), sets.subList(1, sets.size()));
  }

  /** The winner is an object: the objects of the other layers fill it, one level deep. */
  private static List<Origin> fields(String name, List<Set> sets) {
    var fields = new TreeMap<String, List<Set>>();
    var hidden = new ArrayList<Set>();
    for (var set : sets) {
      if (set.value() instanceof Map<?, ?> object) {
        Json.object(object)
            .forEach(
                (field, value) ->
                    fields
                        .computeIfAbsent(field, any -> new ArrayList<>())
                        .add(new Set(set.layer(), value)));
      } else {
        hidden.add(set);
      }
    }
    var origins = new ArrayList<Origin>();
    if (fields.isEmpty() || !hidden.isEmpty()) {
      origins.add(new Origin(name, sets.get(0), hidden));
    }
    fields.forEach((field, values) -> origins.add(origin(name + "." + field, values)));
    return origins;
  }

  /** The nodes on which the schedule puts a role, by name. */
  public static List<String> nodes(Map<String, Object> data, String role) {
    return object(data, "nodes").entrySet().stream()
        .filter(node -> Json.object(Json.object(node.getValue()).get("roles")).containsKey(role))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private static Map<String, Object> object(Map<String, Object> parent, String key) {
    return Optional.ofNullable(parent.get(key)).map(Json::object).orElse(Map.of());
  }

  private VariableOrigins() {}
}
