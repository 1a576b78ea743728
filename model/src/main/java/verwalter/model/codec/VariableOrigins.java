package verwalter.model.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * Determines which layer of a schedule sets each variable of a role on a node, and which values it
 * hides. Pure.
 */
public final class VariableOrigins {

  /** The layers of values, the most specific first. */
  public enum Layer {
    /** The role on that node. */
    NODE_ROLE("node role"),
    /** The node. */
    NODE("node"),
    /** The role everywhere. */
    ROLE("role"),
    /** All nodes and roles. */
    GLOBAL("global"),
    /** No layer; the variable is always present. */
    BUILT_IN("built in");

    private final String words;

    Layer(String words) {
      this.words = words;
    }

    /** The name for display. */
    public String words() {
      return words;
    }
  }

  /** A value of a layer, which may be null. */
  public record Set(Layer layer, @Nullable Object value) {}

  /**
   * One variable, or one field of a variable that is an object.
   *
   * @param name the variable, or {@code variable.field}
   * @param set the winning value
   * @param hidden the values of less specific layers, the most specific first
   */
  public record Origin(String name, Set set, List<Set> hidden) {
    public Origin {
      hidden = List.copyOf(hidden);
    }
  }

  /** The variables in order; empty if the schedule does not assign the role to the node. */
  public static List<Origin> of(Map<String, Object> data, String node, String role) {
    var origins = new ArrayList<Origin>();
    VariableLayers.of(data, node, role)
        .ifPresent(
            layers ->
                layers
                    .sets()
                    .forEach(
                        (name, sets) -> {
                          if (VariableLayers.isObject(sets)) {
                            origins.addAll(fields(name, sets));
                          } else {
                            origins.add(origin(name, sets));
                          }
                        }));
    return List.copyOf(origins);
  }

  private static Origin origin(String name, List<Set> sets) {
    return new Origin(name, sets.get(0), sets.subList(1, sets.size()));
  }

  /** The fields of a variable that is an object, merged one level deep. */
  private static List<Origin> fields(String name, List<Set> sets) {
    var fields = VariableLayers.fields(sets);
    var hidden = sets.stream().filter(set -> !(set.value() instanceof Map<?, ?>)).toList();
    var origins = new ArrayList<Origin>();
    if (fields.isEmpty() || !hidden.isEmpty()) {
      origins.add(new Origin(name, sets.get(0), hidden));
    }
    fields.forEach((field, values) -> origins.add(origin(name + "." + field, values)));
    return origins;
  }

  /** The nodes that the schedule assigns a role to, by name. */
  public static List<String> nodes(Map<String, Object> data, String role) {
    return Json.object(data.get("nodes")).entrySet().stream()
        .filter(node -> Json.object(Json.object(node.getValue()).get("roles")).containsKey(role))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private VariableOrigins() {}
}
