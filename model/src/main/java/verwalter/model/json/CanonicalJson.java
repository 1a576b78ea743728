package verwalter.model.json;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The canonical text of a JSON value, which is the input of schedule hashes, as in verwalter 0.13.
 */
final class CanonicalJson {
  private static final String HEX = "0123456789abcdef";

  /**
   * Compares strings by their UTF-8 bytes, which is the order of code points. {@code
   * String.compareTo} differs between surrogates and the characters U+E000 to U+FFFF.
   */
  static final Comparator<String> BY_UTF8 = CanonicalJson::compareUtf8;

  private final StringBuilder out = new StringBuilder();

  static String text(@Nullable Object value) {
    var json = new CanonicalJson();
    json.write(value);
    return json.out.toString();
  }

  static String sha1(@Nullable Object value) {
    return sha1OfText(text(value));
  }

  static String sha1OfText(String text) {
    try {
      var sha1 = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(sha1.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void write(@Nullable Object value) {
    if (value == null || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof String text) {
      quote(text);
    } else if (value instanceof Map<?, ?> map) {
      object(map);
    } else if (value instanceof List<?> list) {
      array(list);
    } else if (value instanceof Long || value instanceof Integer) {
      out.append(((Number) value).longValue());
    } else if (value instanceof BigInteger number) {
      integer(number);
    } else if (value instanceof Double number) {
      Decimal.append(out, number);
    } else {
      throw new IllegalArgumentException("not a JSON value: " + value.getClass().getName());
    }
  }

  private void integer(BigInteger number) {
    if (JsonNumber.fits64(number)) {
      out.append(number);
    } else {
      Decimal.append(out, number.doubleValue());
    }
  }

  private void object(Map<?, ?> map) {
    out.append('{');
    int begin = out.length();
    if (map instanceof FrozenMap<?, ?> frozen) {
      frozen.forEachInOrder((key, value) -> member(begin, key, value));
    } else {
      var keys = map.keySet().toArray(String[]::new);
      Arrays.sort(keys, BY_UTF8);
      for (var key : keys) {
        member(begin, key, map.get(key));
      }
    }
    out.append('}');
  }

  /** Writes a member of an object whose members begin at that place. */
  private void member(int begin, String key, @Nullable Object value) {
    if (out.length() > begin) {
      out.append(',');
    }
    quote(key);
    out.append(':');
    write(value);
  }

  private void array(List<?> list) {
    out.append('[');
    for (int i = 0; i < list.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      write(list.get(i));
    }
    out.append(']');
  }

  private void quote(String text) {
    if (isPlain(text)) {
      out.append('"').append(text).append('"');
      return;
    }
    if (!JsonText.wellFormed(text)) {
      throw new IllegalArgumentException("a text with half a surrogate pair has no UTF-8 form");
    }
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        out.append(c);
      } else {
        escape(c);
      }
    }
    out.append('"');
  }

  /** Whether the text is the same in JSON, as nearly all are. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  private void escape(char c) {
    switch (c) {
      case '"', '\\' -> out.append('\\').append(c);
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
    }
  }

  private static int compareUtf8(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean high = Character.isSurrogate(x);
        return high == Character.isSurrogate(y) ? x - y : high ? 1 : -1;
      }
    }
    return a.length() - b.length();
  }

  private CanonicalJson() {}
}
