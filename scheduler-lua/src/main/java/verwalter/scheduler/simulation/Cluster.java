package verwalter.scheduler.simulation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import verwalter.model.Json;

/**
 * The input that a simulation begins with: one on record, one made up, or one with other nodes or
 * more roles than it had.
 */
public final class Cluster {
  /** When time begins where nothing is on record. */
  private static final long START = 1_700_000_000_000L;

  private static final List<Long> CPUS = List.of(2L, 4L, 8L, 16L);

  /** A cluster without nodes and roles. */
  public static Map<String, Object> empty() {
    var input = new LinkedHashMap<String, Object>();
    input.put("now", START);
    input.put("current_host", "");
    input.put("current_id", "");
    for (var list : List.of("parents")) {
      input.put(list, List.of());
    }
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
   * The input with {@code count} roles: those it has, and copies of them; where it has none, roles
   * whose only version {@code v1} has one daemon.
   */
  public static Map<String, Object> withRoles(Map<String, Object> input, int count, long seed) {
    var random = new SplittableRandom(seed ^ 1);
    var own = List.copyOf(new TreeMap<>(Json.object(input.get("runtime"))).entrySet());
    var runtime = new TreeMap<String, Object>();
    IntStream.rangeClosed(1, count)
        .forEach(
            i -> {
              if (own.isEmpty()) {
                runtime.put("role-" + i, madeUp("role-" + i, 1 + random.nextInt(5)));
              } else {
                var model = own.get((i - 1) % own.size());
                var copy = i <= own.size() ? "" : "-" + ((i - 1) / own.size() + 1);
                runtime.put(model.getKey() + copy, model.getValue());
              }
            });
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
