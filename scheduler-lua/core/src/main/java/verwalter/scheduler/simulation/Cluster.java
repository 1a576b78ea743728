package verwalter.scheduler.simulation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import verwalter.model.json.Json;

/**
 * The initial input of a simulation: a recorded one, a generated one, or a recorded one with other
 * nodes or more roles.
 */
public final class Cluster {
  /** The initial time of a generated input. */
  private static final long START = 1_700_000_000_000L;

  private static final List<Long> CPUS = List.of(2L, 4L, 8L, 16L);

  /** A cluster without nodes and roles. */
  public static Map<String, Object> empty() {
    var input = new LinkedHashMap<String, Object>();
    input.put("now", START);
    input.put("current_host", "");
    input.put("current_id", "");
    input.put("parents", List.of());
    for (var map : List.of("actions", "runtime", "peers", "metrics", "nodes", "instances")) {
      input.put(map, Map.of());
    }
    return input;
  }

  /** The input with {@code count} nodes {@code n1}, {@code n2} ... instead of its own. */
  public static Map<String, Object> withNodes(Map<String, Object> input, int count, long seed) {
    var random = new SplittableRandom(seed);
    var nodes = new LinkedHashMap<String, Object>();
    int digits = Integer.toString(count).length();
    for (int i = 1; i <= count; i++) {
      var name = "n%0" + digits + "d";
      var node = new TreeMap<String, Object>();
      long cpus = CPUS.get(random.nextInt(CPUS.size()));
      node.put("hostname", name.formatted(i));
      node.put("id", "%032x".formatted(i));
      node.put("labels", Map.of("rack", "r" + (i - 1) % 4));
      node.put("cordoned", false);
      node.put("ready", true);
      node.put("capacity", Map.of("cpus", cpus, "memory_bytes", cpus << 32));
      nodes.put(name.formatted(i), node);
    }
    var changed = new LinkedHashMap<>(input);
    changed.put("nodes", nodes);
    changed.put("parents", List.of());
    changed.put("instances", Map.of());
    changed.put("metrics", Map.of());
    return changed;
  }

  /**
   * The input with {@code count} roles: its own, and copies of them; if it has none, roles with one
   * version {@code v1} that has one daemon.
   */
  public static Map<String, Object> withRoles(Map<String, Object> input, int count, long seed) {
    var own = List.copyOf(new TreeMap<>(Json.object(input.get("runtime"))).keySet());
    var names =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    own.isEmpty()
                        ? "role-" + (i + 1)
                        : own.get(i % own.size())
                            + (i < own.size() ? "" : "-" + (i / own.size() + 1)))
            .toList();
    return withRoles(input, names, seed);
  }

  /**
   * The input with roles of these names: its own of that name, or of the name without the number at
   * its end; others are generated.
   */
  public static Map<String, Object> withRoles(
      Map<String, Object> input, List<String> names, long seed) {
    var random = new SplittableRandom(seed ^ 1);
    var own = Json.object(input.get("runtime"));
    var runtime = new TreeMap<String, Object>();
    for (var name : names) {
      long instances = 1L + random.nextInt(5);
      var model = own.containsKey(name) ? name : name.replaceFirst("-\\d+$", "");
      runtime.put(name, own.getOrDefault(model, madeUp(name, instances)));
    }
    var changed = new LinkedHashMap<>(input);
    changed.put("runtime", runtime);
    return changed;
  }

  private static Map<String, Object> madeUp(String role, long instances) {
    var daemon = Map.of("image", role + ".v1", "config", "/cfg/main.yaml", "instances", instances);
    var version = Map.of("daemons", Map.of("main", daemon), "instances", instances);
    return Map.of("v1", version, "count", instances, "instances", instances);
  }

  private Cluster() {}
}
