package verwalter.render.engine.legacy.trimmer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.PlainDecimal;

/** The semantics of values: types, truth and printing. */
final class TrimmerValues {

  /** Null, and the value of missing items. */
  static final Object NOTHING = new Object();

  static Object of(@Nullable Object value) {
    if (value == null) {
      return NOTHING;
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    return value instanceof Float number ? (Object) number.doubleValue() : value;
  }

  /** Nothing, false, zero and everything empty are false. */
  static boolean isTrue(Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    if (value instanceof Number number) {
      return number.doubleValue() != 0;
    }
    if (value instanceof Map<?, ?> map) {
      return !map.isEmpty();
    }
    if (value instanceof List<?> list) {
      return !list.isEmpty();
    }
    return value != NOTHING && !value.equals("");
  }

  /** The printed form. */
  static String printed(int at, Object value) {
    if (value instanceof Map || value instanceof List) {
      throw new FailureAt(
          at, type(value) + " cannot be printed; loop over it or name a part of it");
    }
    if (value instanceof Double number) {
      if (!Double.isFinite(number)) {
        throw new FailureAt(at, "the result is not a finite number");
      }
      return PlainDecimal.of(number);
    }
    return value == NOTHING ? "" : value.toString();
  }

  /** Compares in the order of UTF-8 bytes. */
  static Map<String, Object> sorted(Map<String, Object> map) {
    var sorted =
        new TreeMap<String, Object>(
            (a, b) ->
                Arrays.compareUnsigned(
                    a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    sorted.putAll(map);
    return Collections.unmodifiableMap(new LinkedHashMap<>(sorted));
  }

  /** The name of the type, for messages. */
  static String type(Object value) {
    if (value instanceof Map) {
      return "a map";
    }
    if (value instanceof List) {
      return "a list";
    }
    if (value instanceof Number) {
      return "a number";
    }
    return value instanceof Boolean ? "a boolean" : value == NOTHING ? "nothing" : "a string";
  }

  private TrimmerValues() {}
}
