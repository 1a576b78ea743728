package verwalter.model.json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Free-form JSON as plain Java values: {@code Map<String, Object>}, {@code List}, {@code String},
 * {@code Boolean}, {@code Long} and {@code BigInteger} for integers, {@code Double} for the rest,
 * and {@code null}. Frozen values are unmodifiable all the way down and keep their order.
 */
public final class Json {
  /**
   * The order of keys in canonical JSON: that of code points, which is the order of UTF-8 bytes.
   */
  public static final Comparator<String> BY_CODE_POINT = CanonicalJson.BY_UTF8;

  /** The longest text that {@link #parse} takes, in UTF-16 units. */
  public static final int MAX_LENGTH = 16 << 20;

  /** The deepest nesting of lists and mappings that any text may have. */
  public static final int MAX_DEPTH = 200;

  /**
   * The frozen value of a strict JSON text. Integers of i64 and u64 stay integers, other integers
   * and {@code -0} become floating point numbers, and of equal keys the last one wins, as in
   * verwalter 0.13.
   *
   * @throws DecodeException with line and column, if the text is not one JSON value, is longer than
   *     {@link #MAX_LENGTH} or nests deeper than {@link #MAX_DEPTH}
   */
  public static @Nullable Object parse(String text) throws DecodeException {
    return JsonText.value(text, "");
  }

  /** The same for a text with a name, such as its file, that problems begin with. */
  public static @Nullable Object parse(String text, String source) throws DecodeException {
    return JsonText.value(text, source);
  }

  /**
   * A deep, unmodifiable copy that keeps the order of entries. Scalars stay as they are; {@code
   * Integer} widens to {@code Long}. What is frozen already is given back as it is, so objects that
   * say the same share one value.
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // a map stays a map, a list a list, null null
  public static <V> V freeze(V value) {
    return (V) copy(value);
  }

  /** A deep, unmodifiable copy with keys in natural order. */
  public static <V> Map<String, V> sorted(Map<String, V> map) {
    return freeze(new TreeMap<>(map));
  }

  /**
   * The frozen value, made of parts of {@code earlier} as far as they are equal. Two versions of a
   * large value then take little more memory than one, and comparing them costs little more than
   * what differs.
   *
   * @param value frozen
   * @param earlier frozen, and often much the same
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // a map stays a map, a list a list, null null
  public static <V> V sharing(V value, @Nullable Object earlier) {
    if (value == earlier) {
      return value;
    }
    if (value instanceof FrozenMap<?, ?> map && earlier instanceof FrozenMap<?, ?> before) {
      return (V) map.sharing(before);
    }
    if (value instanceof FrozenList<?> list && earlier instanceof FrozenList<?> before) {
      return (V) list.sharing(before);
    }
    return value != null && value.equals(earlier) ? (V) earlier : value;
  }

  private static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof FrozenMap || value instanceof FrozenList) {
      return value;
    }
    if (value instanceof Map<?, ?> map) {
      if (map.isEmpty()) {
        return FrozenMap.EMPTY;
      }
      var keys = new ArrayList<@Nullable Object>(map.size());
      var values = new ArrayList<@Nullable Object>(map.size());
      map.forEach(
          (key, each) -> {
            keys.add(key);
            values.add(copy(each));
          });
      return FrozenMap.of(keys.toArray(), values.toArray());
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>(list.size());
      list.forEach(each -> copy.add(copy(each)));
      return new FrozenList<>(copy.toArray());
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  /** The value as a mapping; anything else is an empty one, as in verwalter 0.13. */
  @SuppressWarnings("unchecked") // JSON objects have text keys
  public static Map<String, Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /**
   * The canonical compact text: keys in the order of their UTF-8 bytes, no spaces.
   *
   * @throws IllegalArgumentException if something in it has no JSON text: a number that is not
   *     finite, half a surrogate pair, an object of another class
   */
  public static String canonical(@Nullable Object value) {
    return CanonicalJson.text(value);
  }

  /** SHA-1 of the canonical text, lower-case hex: the hash of a schedule. */
  public static String hash(@Nullable Object value) {
    return CanonicalJson.sha1(value);
  }

  private Json() {}
}
