package verwalter.cli.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import verwalter.client.json.PlainJson;

/** JSON merge patches (RFC 7386). */
public final class MergePatch {
  /** The patch that turns {@code from} into {@code to}; empty if they are equal. */
  public static Map<String, Object> between(Map<String, Object> from, Map<String, Object> to) {
    return merging(from, to, from);
  }

  /**
   * The patch that turns {@code live} into {@code wanted} and keeps fields that others added: a
   * field is removed only if it is in {@code last}, the last applied object, and not in {@code
   * wanted}.
   */
  public static Map<String, Object> merging(
      Map<String, Object> last, Map<String, Object> wanted, Map<String, Object> live) {
    var patch = new LinkedHashMap<String, Object>();
    wanted.forEach(
        (name, value) -> {
          var now = live.get(name);
          if (value instanceof Map<?, ?> object) {
            var inner =
                merging(PlainJson.map(last.get(name)), PlainJson.map(object), PlainJson.map(now));
            if (!(inner.isEmpty() && now instanceof Map)) {
              patch.put(name, inner);
            }
          } else if (!same(value, now)) {
            patch.put(name, value);
          }
        });
    for (var name : last.keySet()) {
      if (!wanted.containsKey(name) && live.containsKey(name)) {
        patch.put(name, null);
      }
    }
    return patch;
  }

  /** Applies a patch to an object. */
  public static Map<String, Object> applied(Map<String, Object> patch, Map<String, Object> object) {
    var result = new LinkedHashMap<>(object);
    patch.forEach(
        (name, value) -> {
          if (value == null) {
            result.remove(name);
          } else if (value instanceof Map<?, ?> inner) {
            result.put(name, applied(PlainJson.map(inner), PlainJson.map(object.get(name))));
          } else {
            result.put(name, value);
          }
        });
    return result;
  }

  /** Whether two patches of one object contain the same field. */
  public static boolean collide(Map<String, Object> one, Map<String, Object> other) {
    return one.entrySet().stream()
        .filter(field -> other.containsKey(field.getKey()))
        .anyMatch(field -> collide(field.getValue(), other.get(field.getKey())));
  }

  private static boolean collide(@Nullable Object one, @Nullable Object other) {
    boolean objects = one instanceof Map<?, ?> && other instanceof Map<?, ?>;
    return objects ? collide(PlainJson.map(one), PlainJson.map(other)) : !same(one, other);
  }

  /** Whether two values are equal as JSON; the number 1 equals 1.0. */
  private static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Number left && other instanceof Number right) {
      return left.equals(right) || left.doubleValue() == right.doubleValue();
    }
    return Objects.equals(one, other);
  }

  private MergePatch() {}
}
