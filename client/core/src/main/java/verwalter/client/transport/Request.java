package verwalter.client.transport;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * An HTTP request.
 *
 * @param method such as {@code GET}
 * @param target the path and the query, escaped; begins with a slash
 * @param headers by name, ignoring case; the transport sets {@code Host}, {@code Content-Length}
 *     and {@code Connection}
 * @param body empty for none; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // requests are not compared
public record Request(String method, String target, Map<String, String> headers, byte[] body) {
  private static final byte[] NONE = {};

  /**
   * @throws IllegalArgumentException if a part contains characters that HTTP does not allow
   */
  public Request {
    var sorted = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(headers);
    headers = Collections.unmodifiableMap(sorted);
    check(isName(method), method);
    check(target.startsWith("/") && isPrintable(target) && target.indexOf(' ') < 0, target);
    for (var header : headers.entrySet()) {
      check(isName(header.getKey()) && isPrintable(header.getValue()), header.getKey());
    }
  }

  /** A request without a body. */
  public static Request of(String method, String target, Map<String, String> headers) {
    return new Request(method, target, headers, NONE);
  }

  // Loops are faster than patterns, and every command of vw runs this.

  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (c < '0' || c > '9') && c != '-' && c != '_') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) >= 127) {
        return false;
      }
    }
    return true;
  }

  private static void check(boolean valid, String part) {
    if (!valid) {
      throw new IllegalArgumentException("not part of an HTTP request: " + part);
    }
  }
}
