package verwalter.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;

/**
 * Places every role on every node. The roles of a lost node run on the next one too. On one node a
 * role has as many more processes as its metadata ask for.
 */
final class EvenScheduler implements Scheduler {
  private final String special;

  /** Creates a scheduler that gives more processes to the node {@code special}. */
  EvenScheduler(String special) {
    this.special = special;
  }

  /** The metadata of the roles. */
  static Map<String, Object> runtime(int roles, Map<String, Long> more, Map<String, Long> release) {
    var runtime = new TreeMap<String, Object>();
    for (int i = 0; i < roles; i++) {
      var role = "role-" + i;
      runtime.put(
          role,
          Map.of(
              "v1",
              Map.of(
                  "count",
                  1L,
                  "more",
                  more.getOrDefault(role, 0L),
                  "release",
                  release.getOrDefault(role, 1L))));
    }
    return runtime;
  }

  @Override
  public Decision decide(Map<String, Object> input) {
    var nodes = Json.object(input.get("nodes"));
    var runtime = Json.object(input.get("runtime"));
    var names = List.copyOf(new TreeMap<>(nodes).keySet());
    var moved = new HashMap<String, List<?>>();
    for (int i = 0; i < names.size(); i++) {
      if (Json.object(nodes.get(names.get(i))).get("lost") instanceof List<?> lost) {
        moved.put(names.get((i + 1) % names.size()), lost);
      }
    }
    var all = new TreeMap<String, Object>();
    for (var node : names) {
      var mine = new TreeMap<String, Object>();
      var lost =
          Json.object(nodes.get(node)).get("lost") instanceof List<?> some ? some : List.of();
      runtime.forEach(
          (role, versions) -> {
            if (!lost.contains(role)) {
              mine.put(role, instance(node, role, versions, moved.getOrDefault(node, List.of())));
            }
          });
      all.put(node, Map.of("roles", mine));
    }
    return new Decision(Map.of("nodes", all), "", 1, true, List.of(), Map.of());
  }

  private Map<String, Object> instance(String node, String role, Object versions, List<?> moved) {
    var version = Json.object(Json.object(versions).get("v1"));
    long count = number(version, "count") + (moved.contains(role) ? 1 : 0);
    return Map.of(
        "template",
        "app/v1",
        "version",
        "v1",
        "release",
        number(version, "release"),
        "count",
        node.equals(special) ? count + number(version, "more") : count,
        "mode",
        "primary");
  }

  private static long number(Map<String, Object> map, String name) {
    return Long.parseLong(String.valueOf(map.get(name)));
  }
}
