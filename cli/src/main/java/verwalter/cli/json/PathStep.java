package verwalter.cli.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One step of a path, from values to values one level deeper. Missing fields are skipped. */
sealed interface PathStep {
  /** Adds the values that this step selects from {@code value} to {@code found}. */
  void from(@Nullable Object value, List<@Nullable Object> found);

  /** {@code .name} or {@code ['a','b']}. */
  record Fields(List<String> names) implements PathStep {
    @Override
    public void from(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof Map<?, ?> object) {
        names.stream().filter(object::containsKey).map(object::get).forEach(found::add);
      }
    }
  }

  /** {@code [*]} and {@code .*}. */
  record Every() implements PathStep {
    @Override
    public void from(@Nullable Object value, List<@Nullable Object> found) {
      found.addAll(children(value));
    }
  }

  /** {@code [3]}, {@code [-1]} and {@code [0,2]}. */
  record Places(List<Integer> places) implements PathStep {
    @Override
    public void from(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof List<?> array) {
        places.stream()
            .map(place -> place < 0 ? place + array.size() : place)
            .filter(place -> place >= 0 && place < array.size())
            .map(array::get)
            .forEach(found::add);
      }
    }
  }

  /** {@code [begin:end:stride]}; null for an omitted part. */
  record Slice(@Nullable Integer begin, @Nullable Integer end, int stride) implements PathStep {
    @Override
    public void from(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof List<?> array) {
        int last = place(end, array.size(), array.size());
        for (int i = place(begin, 0, array.size()); i < last; i += stride) {
          found.add(array.get(i));
        }
      }
    }

    private static int place(@Nullable Integer wanted, int otherwise, int size) {
      int place = wanted == null ? otherwise : wanted < 0 ? wanted + size : wanted;
      return Math.max(0, Math.min(size, place));
    }
  }

  /** {@code ..}: the value itself and everything below it. */
  record Below() implements PathStep {
    @Override
    public void from(@Nullable Object value, List<@Nullable Object> found) {
      found.add(value);
      children(value).forEach(child -> from(child, found));
    }
  }

  /** {@code [?(@.x=="y")]}: the elements for which a condition is true. */
  record Filter(Predicate<@Nullable Object> condition) implements PathStep {
    @Override
    public void from(@Nullable Object value, List<@Nullable Object> found) {
      children(value).stream().filter(condition).forEach(found::add);
    }
  }

  /** All values that {@code steps} select from {@code start}. */
  static List<@Nullable Object> walk(List<PathStep> steps, @Nullable Object start) {
    List<@Nullable Object> here = new ArrayList<>();
    here.add(start);
    for (var step : steps) {
      var next = new ArrayList<@Nullable Object>();
      here.forEach(value -> step.from(value, next));
      here = next;
    }
    return here;
  }

  private static List<@Nullable Object> children(@Nullable Object value) {
    if (value instanceof Map<?, ?> object) {
      return new ArrayList<>(object.values());
    }
    return value instanceof List<?> array ? new ArrayList<>(array) : List.of();
  }

  /** A comparison operator of JSONPath filters. */
  static boolean compare(String operator, @Nullable Object left, @Nullable Object right) {
    if (operator.equals("==") || operator.equals("!=")) {
      return equal(left, right) == operator.equals("==");
    }
    Integer order = order(left, right);
    if (order == null) {
      return false;
    }
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private static boolean equal(@Nullable Object left, @Nullable Object right) {
    Integer order = order(left, right);
    return order == null ? Objects.equals(left, right) : order == 0;
  }

  private static @Nullable Integer order(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Number one && right instanceof Number other) {
      return Double.compare(one.doubleValue(), other.doubleValue());
    }
    return left instanceof String one && right instanceof String other
        ? Integer.valueOf(one.compareTo(other))
        : null;
  }
}
