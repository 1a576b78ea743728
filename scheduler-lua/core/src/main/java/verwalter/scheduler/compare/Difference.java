package verwalter.scheduler.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * One difference between two JSON values.
 *
 * @param path names of fields and indexes of lists
 * @param before the canonical text of the old value; absent if there was none
 * @param after the canonical text of the new value; absent if there is none
 */
public record Difference(List<String> path, Optional<String> before, Optional<String> after) {

  /**
   * All differences, in the order of the keys. Equal numbers of different types are a difference.
   */
  public static List<Difference> between(@Nullable Object before, @Nullable Object after) {
    var found = new ArrayList<Difference>();
    walk(List.of(), before, after, found);
    return found;
  }

  private static void walk(
      List<String> path, @Nullable Object a, @Nullable Object b, List<Difference> found) {
    if (a instanceof Map<?, ?> && b instanceof Map<?, ?>) {
      maps(path, Json.object(a), Json.object(b), found);
    } else if (a instanceof List<?> before && b instanceof List<?> after) {
      lists(path, before, after, found);
    } else if (!Json.canonical(a).equals(Json.canonical(b))) {
      found.add(new Difference(path, text(a), text(b)));
    }
  }

  private static void maps(
      List<String> path, Map<String, Object> a, Map<String, Object> b, List<Difference> found) {
    var keys = new TreeSet<>(a.keySet());
    keys.addAll(b.keySet());
    for (var key : keys) {
      entry(
          below(path, key), a.containsKey(key), a.get(key), b.containsKey(key), b.get(key), found);
    }
  }

  private static void lists(List<String> path, List<?> a, List<?> b, List<Difference> found) {
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      boolean inA = i < a.size();
      boolean inB = i < b.size();
      entry(below(path, "" + i), inA, inA ? a.get(i) : null, inB, inB ? b.get(i) : null, found);
    }
  }

  private static void entry(
      List<String> path,
      boolean inA,
      @Nullable Object a,
      boolean inB,
      @Nullable Object b,
      List<Difference> found) {
    if (inA && inB) {
      walk(path, a, b, found);
    } else {
      found.add(
          new Difference(path, inA ? text(a) : Optional.empty(), inB ? text(b) : Optional.empty()));
    }
  }

  private static Optional<String> text(@Nullable Object value) {
    return Optional.of(Json.canonical(value));
  }

  private static List<String> below(List<String> path, String step) {
    var longer = new ArrayList<>(path);
    longer.add(step);
    return List.copyOf(longer);
  }

  /** The path with dots, such as {@code nodes.n1.roles.web.count}. */
  public String place() {
    return path.isEmpty() ? "." : String.join(".", path);
  }
}
