package verwalter.controllers.template;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which roles of a node are done, and which need which, as far as their recipes were read. An
 * immutable picture, so that it may be looked at from any thread.
 *
 * @param done roles whose files are in place and whose processes run
 * @param present roles the node has
 * @param known what each role needs
 */
public record Needs(Set<String> done, Set<String> present, Map<String, List<String>> known) {
  /** Nothing stands in the way of a role that needs nothing. */
  public static final Needs NONE = new Needs(Set.of(), Set.of(), Map.of());

  public Needs {
    done = Set.copyOf(done);
    present = Set.copyOf(present);
    known = Map.copyOf(known);
  }

  /**
   * What stands in the way of a role.
   *
   * @param cycle whether that will not pass by itself
   */
  public record Obstacle(boolean cycle, String text) {}

  /** What stands in the way of {@code role}, whose recipes need these others. */
  public Optional<Obstacle> obstacle(String role, List<String> needs) {
    if (needs.isEmpty()) {
      return Optional.empty();
    }
    var circle = circle(role, needs, known);
    if (circle.isPresent()) {
      return Optional.of(new Obstacle(true, circle.get()));
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
   * What to say of the shortest circle that a role is in.
   *
   * @param known what each other role needs
   */
  static Optional<String> circle(String role, List<String> needs, Map<String, List<String>> known) {
    return path(role, needs, known)
        .map(
            path ->
                "roles need each other in a circle: %s; take one out of the `needs` of a recipe"
                    .formatted(String.join(" -> ", path)));
  }

  /** The shortest way from a role over what it needs back to itself. */
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
