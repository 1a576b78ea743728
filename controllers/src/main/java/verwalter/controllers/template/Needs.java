package verwalter.controllers.template;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The dependencies between the roles of a node, as far as their recipes were read, and which roles
 * are done. Immutable.
 *
 * @param done roles whose files are in place and whose processes run
 * @param present roles of the node
 * @param known the roles that each role needs
 */
public record Needs(Set<String> done, Set<String> present, Map<String, List<String>> known) {
  /** No roles and no dependencies. */
  public static final Needs NONE = new Needs(Set.of(), Set.of(), Map.of());

  public Needs {
    done = Set.copyOf(done);
    present = Set.copyOf(present);
    known = Map.copyOf(known);
  }

  /**
   * The reason why a role cannot be applied.
   *
   * @param cycle whether it is a cycle, which does not end by itself
   */
  public record Obstacle(boolean cycle, String text) {}

  /** Returns why {@code role}, whose recipes need {@code needs}, cannot be applied. */
  public Optional<Obstacle> obstacle(String role, List<String> needs) {
    if (needs.isEmpty()) {
      return Optional.empty();
    }
    var cycle = cycle(role, needs, known);
    if (cycle.isPresent()) {
      return Optional.of(new Obstacle(true, cycle.get()));
    }
    return needs.stream()
        .filter(each -> !done.contains(each))
        .findFirst()
        .map(
            each ->
                new Obstacle(
                    false,
                    present.contains(each)
                        ? "waits for role %s, which it needs and which is not done yet"
                            .formatted(each)
                        : "waits for role %s, which it needs and which this node does not have"
                            .formatted(each)));
  }

  /**
   * Describes the shortest cycle that a role is part of.
   *
   * @param known the roles that each other role needs
   */
  static Optional<String> cycle(String role, List<String> needs, Map<String, List<String>> known) {
    return path(role, needs, known)
        .map(
            path ->
                "the roles need each other in a cycle: %s; remove one of them from the `needs` of a recipe"
                    .formatted(String.join(" -> ", path)));
  }

  /** The shortest path from a role along its needs back to itself. */
  private static Optional<List<String>> path(
      String role, List<String> needs, Map<String, List<String>> known) {
    var from = new HashMap<String, String>();
    var waiting = new ArrayDeque<String>();
    var seen = new HashSet<String>();
    waiting.add(role);
    while (!waiting.isEmpty()) {
      var at = waiting.remove();
      for (var next : at.equals(role) ? needs : known.getOrDefault(at, List.of())) {
        if (next.equals(role)) {
          return Optional.of(back(role, at, from));
        }
        if (seen.add(next)) {
          from.put(next, at);
          waiting.add(next);
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> back(String role, String last, Map<String, String> from) {
    var path = new ArrayDeque<String>();
    path.addFirst(role);
    for (var at = last; !at.equals(role); at = from.getOrDefault(at, role)) {
      path.addFirst(at);
    }
    path.addFirst(role);
    return List.copyOf(path);
  }
}
