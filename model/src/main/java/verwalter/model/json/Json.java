package verwalter.model.json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Free-form JSON as plain Java values: {@code Map<String, Object>}, {@code List}, {@code String},
 * {@code Boolean}, {@code Long} and {@code BigInteger} for integers, {@code Double} for other
 * numbers, and {@code null}. Frozen values are deeply immutable and keep their order.
 */
public final class Json {
  /**
   * The order of keys in canonical JSON: that of code points, which is the order of UTF-8 bytes.
   */
  public static final Comparator<String> BY_CODE_POINT = CanonicalJson.BY_UTF8;

  /** The limit of the text of {@link #parse}, in UTF-16 units. */
  public static final int MAX_LENGTH = 16 << 20;

  /** The limit of nesting of lists and mappings. */
  public static final int MAX_DEPTH = 200;

  /**
   * Parses a strict JSON text to a frozen value. As in verwalter 0.13, integers in the range of i64
   * and u64 stay integers, other integers and {@code -0} become floating point numbers, and the
   * last of equal keys wins.
   *
   * @throws DecodeException with line and column, if the text is not one JSON value, is longer than
   *     {@link #MAX_LENGTH} or nests deeper than {@link #MAX_DEPTH}
   */
  public static @Nullable Object parse(String text) throws DecodeException {
    return JsonText.value(text, "", false);
  }

  /**
   * Like {@link #parse(String)}. Problems begin with {@code source}, such as the name of a file.
   */
  public static @Nullable Object parse(String text, String source) throws DecodeException {
    return JsonText.value(text, source, false);
  }

  /** Like {@link #parse(String)}, but two equal keys of one object are a problem. */
  public static @Nullable Object parseUnique(String text) throws DecodeException {
    return JsonText.value(text, "", true);
  }

  /**
   * Returns a deeply immutable copy that keeps the order of entries. {@code Integer} widens to
   * {@code Long}; other scalars are not changed. A frozen value is returned as is, so that equal
   * objects can share it.
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // a map stays a map, a list a list, null null
  public static <V> V freeze(V value) {
    return (V) copy(value);
  }

  /** Returns a deeply immutable copy with keys in natural order. */
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

  /**
   * Casts the value to a mapping. As in verwalter 0.13, any other value becomes an empty mapping.
   */
  @SuppressWarnings("unchecked") // JSON objects have text keys
  public static Map<String, Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /**
   * The canonical compact text: keys in the order of their UTF-8 bytes, no spaces.
   *
   * @throws IllegalArgumentException if the value cannot be expressed in JSON: a number that is not
   *     finite, half a surrogate pair, or an object of another class
   */
  public static String canonical(@Nullable Object value) {
    return CanonicalJson.text(value);
  }

  /** SHA-1 of the canonical text, lower-case hex: the hash of a schedule. */
  public static String hash(@Nullable Object value) {
    return CanonicalJson.sha1(value);
  }

  /** The same of a value with this canonical text. */
  public static String hashOfText(String canonical) {
    return CanonicalJson.sha1OfText(canonical);
  }

  private Json() {}
}
