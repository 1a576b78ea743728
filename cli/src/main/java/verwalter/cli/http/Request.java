package verwalter.cli.http;

import java.util.Optional;

/**
 * One request.
 *
 * @param path begins with a slash; with the query, all of it escaped
 * @param accept media types of the answer
 */
public record Request(String method, String path, String accept, Optional<Body> body) {
  /** What is sent along, as UTF-8. */
  public record Body(String type, String text) {}

  public static Request get(String path, String accept) {
    return new Request("GET", path, accept, Optional.empty());
  }

  /** Whether asking twice is the same as asking once. */
  boolean safe() {
    return method.equals("GET");
  }
}
