package verwalter.cli.http;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a server answers.
 *
 * @param base the path before every other, without a slash at its end
 */
public record Endpoint(boolean secure, String host, int port, String base) {
  /** Where an agent answers unless it was told otherwise. */
  public static final int DEFAULT_PORT = 8379;

  /**
   * The endpoint an operator means: {@code http://host:port}, {@code host:port} or {@code host}.
   *
   * @throws IllegalArgumentException with one sentence for the operator
   */
  public static Endpoint of(String text) {
    var url = text.contains("://") ? text : "http://" + text;
    try {
      var uri = new URI(url);
      boolean secure = "https".equals(uri.getScheme());
      if (uri.getHost() == null || !(secure || "http".equals(uri.getScheme()))) {
        throw bad(text);
      }
      var path = uri.getRawPath() == null ? "" : uri.getRawPath();
      return new Endpoint(
          secure,
          uri.getHost(),
          uri.getPort() > 0 ? uri.getPort() : secure ? 443 : DEFAULT_PORT,
          path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    } catch (URISyntaxException e) {
      throw bad(text);
    }
  }

  /** Host and port as the {@code Host} header wants them. */
  String authority() {
    return host + ":" + port;
  }

  /** The host without the brackets of an IPv6 address. */
  String address() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** As a URL. */
  @Override
  public String toString() {
    return (secure ? "https://" : "http://") + authority() + base;
  }

  private static IllegalArgumentException bad(String text) {
    return new IllegalArgumentException(
        "\"%s\" is not the address of a server; write http://HOST:PORT".formatted(text));
  }
}
