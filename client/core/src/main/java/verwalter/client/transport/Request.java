package verwalter.client.transport;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One HTTP request.
 *
 * @param method such as {@code GET}
 * @param target the path and the query, escaped; begins with a slash
 * @param headers by name, in any case; {@code Host}, {@code Content-Length} and {@code Connection}
 *     are the transport's
 * @param body empty for none; not changed by anybody
 */
@SuppressWarnings("ArrayRecordComponent") // requests are not compared
public record Request(String method, String target, Map<String, String> headers, byte[] body) {
  private static final byte[] NONE = {};

  /**
   * @throws IllegalArgumentException if the request could not be written as the lines of one HTTP
   *     request
   */
  public Request {
    var sorted = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(headers);
    headers = Collections.unmodifiableMap(sorted);
    check(method.matches("[A-Z]+"), method);
    check(target.startsWith("/") && printable(target) && target.indexOf(' ') < 0, target);
    headers.forEach((name, value) -> check(name.matches("[\\w-]+") && printable(value), name));
  }

  /** A request without a body. */
  public static Request of(String method, String target, Map<String, String> headers) {
    return new Request(method, target, headers, NONE);
  }

  private static boolean printable(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 127);
  }

  private static void check(boolean valid, String part) {
    if (!valid) {
      throw new IllegalArgumentException("not part of an HTTP request: " + part);
    }
  }
}
