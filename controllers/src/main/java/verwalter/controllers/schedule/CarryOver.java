package verwalter.controllers.schedule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/** Copies roles from one schedule to the next. Pure. */
final class CarryOver {
  /**
   * A schedule that says of some roles what an earlier one says: under {@code roles}, {@code
   * state}, and {@code nodes}. A role that the earlier one does not know stays unknown.
   */
  static Map<String, Object> roles(
      List<String> roles, Map<String, Object> before, Map<String, Object> after) {
    if (roles.isEmpty()) {
      return after;
    }
    var data = new LinkedHashMap<String, Object>(after);
    for (var part : List.of("roles", "state")) {
      data.put(part, merged(roles, Json.object(before.get(part)), Json.object(after.get(part))));
    }
    var nodes = new LinkedHashMap<String, Object>(Json.object(after.get("nodes")));
    Json.object(before.get("nodes"))
        .forEach(
            (name, was) -> {
              var earlier = Json.object(Json.object(was).get("roles"));
              if (roles.stream().anyMatch(earlier::containsKey)) {
                var node = new LinkedHashMap<String, Object>(Json.object(nodes.get(name)));
                node.put("roles", merged(roles, earlier, Json.object(node.get("roles"))));
                nodes.put(name, node);
              }
            });
    data.put("nodes", nodes);
    return data;
  }

  private static Map<String, Object> merged(
      List<String> roles, Map<String, Object> before, Map<String, Object> after) {
    var merged = new LinkedHashMap<String, Object>(after);
    for (var role : roles) {
      var was = before.get(role);
      if (was != null) {
        merged.put(role, was);
      }
    }
    return merged;
  }

  private CarryOver() {}
}
