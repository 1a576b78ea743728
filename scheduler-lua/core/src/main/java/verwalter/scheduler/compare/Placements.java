package verwalter.scheduler.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * The placement of roles in a schedule.
 *
 * @param roles places by role and node
 */
public record Placements(SortedMap<String, SortedMap<String, Place>> roles) {

  /**
   * A role on a node.
   *
   * @param version the variable {@code version}; empty if there is none
   * @param count the number of instances
   */
  public record Place(String version, long count) {}

  /** A role on a node before and after; absent if it does not run there. */
  public record Change(String role, String node, @Nullable Place before, @Nullable Place after) {}

  /**
   * Reads a schedule. The number of instances of a role on a node is the sum of {@code instances}
   * of its {@code daemons}, otherwise the variable {@code count} or {@code instances}, otherwise
   * one.
   */
  public static Placements of(Map<String, Object> schedule) {
    var roles = new TreeMap<String, SortedMap<String, Place>>();
    Json.object(schedule.get("nodes"))
        .forEach(
            (node, its) ->
                Json.object(Json.object(its).get("roles"))
                    .forEach(
                        (role, variables) ->
                            roles
                                .computeIfAbsent(role, name -> new TreeMap<>())
                                .put(node, place(Json.object(variables)))));
    return new Placements(roles);
  }

  private static Place place(Map<String, Object> variables) {
    return new Place(variables.get("version") instanceof String text ? text : "", count(variables));
  }

  private static long count(Map<String, Object> variables) {
    if (variables.get("daemons") instanceof Map<?, ?> daemons) {
      return daemons.values().stream().mapToLong(each -> number(Json.object(each))).sum();
    }
    return variables.get("count") instanceof Number count ? count.longValue() : number(variables);
  }

  private static long number(Map<String, Object> variables) {
    return variables.get("instances") instanceof Number number ? number.longValue() : 1;
  }

  /** The places of a role by node; none if it does not run. */
  public SortedMap<String, Place> of(String role) {
    return roles.getOrDefault(role, new TreeMap<>());
  }

  /** The instances of all roles by node. */
  public SortedMap<String, Long> load() {
    var load = new TreeMap<String, Long>();
    roles
        .values()
        .forEach(
            places -> places.forEach((node, place) -> load.merge(node, place.count(), Long::sum)));
    return load;
  }

  /** The differences of a later schedule, by role and node. */
  public List<Change> changes(Placements after) {
    var changes = new ArrayList<Change>();
    for (var role : union(roles.keySet(), after.roles.keySet())) {
      for (var node : union(of(role).keySet(), after.of(role).keySet())) {
        var was = of(role).get(node);
        var is = after.of(role).get(node);
        if (was == null || !was.equals(is)) {
          changes.add(new Change(role, node, was, is));
        }
      }
    }
    changes.sort(Comparator.comparing(Change::role).thenComparing(Change::node));
    return changes;
  }

  /** The number of a role's instances that moved between nodes. */
  public long moved(Placements after, String role) {
    long lost = 0;
    long gained = 0;
    for (var node : union(of(role).keySet(), after.of(role).keySet())) {
      long difference = count(after.of(role).get(node)) - count(of(role).get(node));
      lost += Math.max(0, -difference);
      gained += Math.max(0, difference);
    }
    return Math.min(lost, gained);
  }

  /** The number of all roles' instances that moved between nodes. */
  public long moved(Placements after) {
    return roles.keySet().stream().mapToLong(role -> moved(after, role)).sum();
  }

  private static long count(@Nullable Place place) {
    return place == null ? 0 : place.count();
  }

  private static Set<String> union(Set<String> a, Set<String> b) {
    var union = new TreeSet<>(a);
    union.addAll(b);
    return union;
  }
}
