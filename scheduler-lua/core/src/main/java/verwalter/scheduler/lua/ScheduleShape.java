package verwalter.scheduler.lua;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Json;

/**
 * The form of the parts of a schedule that this program reads: the variables of all nodes, of each
 * role, of each node, and of each role on a node. All are objects. {@code null} counts as absent,
 * except for a role and a node. Other parts, such as {@code state}, may have any form.
 */
public enum ScheduleShape {
  /**
   * An empty list counts as an empty object, since the Lua library encodes an empty table as {@code
   * []}.
   */
  OF_LUA,
  /** Every object must be one. */
  STRICT;

  /** The first deviation, with its path, or empty if there is none. */
  public Optional<String> problem(Map<String, Object> schedule) {
    var root = FieldPath.ROOT;
    return object(schedule, "vars", root)
        .or(() -> object(schedule, "roles", root))
        .or(() -> objects(schedule, "roles", root))
        .or(() -> object(schedule, "nodes", root))
        .or(() -> objects(schedule, "nodes", root))
        .or(() -> nodes(Json.object(schedule.get("nodes"))))
        .or(() -> changes(schedule.get("changes")));
  }

  private Optional<String> nodes(Map<String, Object> nodes) {
    for (var each : nodes.entrySet()) {
      var node = Json.object(each.getValue());
      var path = FieldPath.ROOT.field("nodes").field(each.getKey());
      var problem =
          object(node, "vars", path)
              .or(() -> object(node, "roles", path))
              .or(() -> objects(node, "roles", path));
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> changes(@Nullable Object changes) {
    return changes == null || changes instanceof List<?>
        ? Optional.empty()
        : Optional.of(wrong(FieldPath.ROOT.field("changes"), "a list", changes));
  }

  /** A field that is an object, null or absent. */
  private Optional<String> object(Map<String, Object> parent, String name, FieldPath path) {
    var value = parent.get(name);
    return value == null || isObject(value)
        ? Optional.empty()
        : Optional.of(wrong(path.field(name), "an object", value));
  }

  /** A field whose values are objects. */
  private Optional<String> objects(Map<String, Object> parent, String name, FieldPath path) {
    for (var each : Json.object(parent.get(name)).entrySet()) {
      if (!isObject(each.getValue())) {
        return Optional.of(
            wrong(path.field(name).field(each.getKey()), "an object", each.getValue()));
      }
    }
    return Optional.empty();
  }

  private boolean isObject(@Nullable Object value) {
    return value instanceof Map<?, ?>
        || (this == OF_LUA && value instanceof List<?> list && list.isEmpty());
  }

  private static String wrong(FieldPath path, String expected, @Nullable Object found) {
    return "%s: expected %s, found %s".formatted(path, expected, what(found));
  }

  private static String what(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.isEmpty() ? "an empty list" : "a list";
    }
    return value == null
        ? "null"
        : value instanceof String
            ? "a string"
            : value instanceof Number
                ? "a number"
                : value instanceof Boolean ? "a boolean" : "an object";
  }
}
