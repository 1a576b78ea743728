package verwalter.render.recipe;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.model.json.Json;
import verwalter.render.Text;

/** Merges what a schedule says for one node into the variables of each role there. Pure. */
public final class Variables {

  /**
   * The variables of every role that the schedule puts on the node, by role.
   *
   * <p>Of the four layers the most specific wins, key by key: the role on the node, the node, the
   * role, everybody. Where the winner is an object, the objects that other layers have for the same
   * key are merged into it, one level deep. {@code role} is always the role's name; {@code node} is
   * the node's unless a layer says otherwise. What should be an object and is not counts as empty.
   *
   * @param data of a schedule
   */
  public static SortedMap<String, Map<String, Object>> merge(
      Map<String, Object> data, String node) {
    var here = object(object(data, "nodes"), node);
    var roles = object(here, "roles");
    var merged = new TreeMap<String, Map<String, Object>>(Text.BY_CODE_POINT);
    for (var role : roles.keySet()) {
      var layers =
          List.of(
              object(roles, role),
              object(here, "vars"),
              object(object(data, "roles"), role),
              object(data, "vars"));
      var variables = merged(layers);
      variables.put("role", role);
      variables.putIfAbsent("node", node);
      merged.put(role, Json.freeze(variables));
    }
    return Collections.unmodifiableSortedMap(merged);
  }

  /** A null that a layer wrote hides what lies below like any other value that is no object. */
  private static Map<String, Object> merged(List<Map<String, Object>> layers) {
    var result = new TreeMap<String, Object>(Text.BY_CODE_POINT);
    for (var layer : layers) {
      layer.forEach(
          (key, value) -> {
            if (!result.containsKey(key)) {
              result.put(
                  key,
                  value instanceof Map<?, ?> ? new LinkedHashMap<>(Json.object(value)) : value);
            } else if (result.get(key) instanceof Map<?, ?> winner) {
              fill(Json.object(winner), Json.object(value));
            }
          });
    }
    return result;
  }

  private static void fill(Map<String, Object> winner, Map<String, Object> other) {
    other.forEach(
        (key, value) -> {
          if (!winner.containsKey(key)) {
            winner.put(key, value);
          }
        });
  }

  private static Map<String, Object> object(Map<String, Object> parent, String key) {
    return Json.object(parent.get(key));
  }

  private Variables() {}
}
