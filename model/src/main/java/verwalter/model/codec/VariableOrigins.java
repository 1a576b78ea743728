package verwalter.model.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/** Which layer of a schedule sets each variable of a role on a node, and what it hides. Pure. */
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

  /** The winner is an object: the objects of the other layers fill it, one level deep. */
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

  /** The nodes on which the schedule puts a role, by name. */
  public static List<String> nodes(Map<String, Object> data, String role) {
    return Json.object(data.get("nodes")).entrySet().stream()
        .filter(node -> Json.object(Json.object(node.getValue()).get("roles")).containsKey(role))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private VariableOrigins() {}
}
