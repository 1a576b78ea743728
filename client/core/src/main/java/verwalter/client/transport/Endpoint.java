package verwalter.client.transport;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address of a server.
 *
 * @param host host for TCP and TLS, with brackets for an IPv6 address; empty for a unix socket
 * @param port port for TCP and TLS; 0 for a unix socket
 * @param path for TCP and TLS, the base path of all targets without a trailing slash; for a unix
 *     socket, its file
 */
public record Endpoint(Protocol protocol, String host, int port, String path) {
  /** The default port of an agent. */
  public static final int DEFAULT_PORT = 8379;

  /** The protocols. */
  public enum Protocol {
    TCP,
    TLS,
    UNIX
  }

  /** The agent of this machine, on its default port. */
  public static Endpoint local() {
    return new Endpoint(Protocol.TCP, "127.0.0.1", DEFAULT_PORT, "");
  }

  /**
   * Reads {@code http://HOST:PORT}, {@code https://HOST:PORT}, {@code unix:PATH}, {@code HOST:PORT}
   * or {@code HOST}. Without a scheme it is HTTP, without a port {@link #DEFAULT_PORT}, or 443 with
   * {@code https}.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  public static Endpoint of(String text) {
    if (text.startsWith("unix:")) {
      var file = text.substring(text.startsWith("unix://") ? "unix://".length() : "unix:".length());
      if (file.isEmpty()) {
        throw invalid(text);
      }
      return new Endpoint(Protocol.UNIX, "", 0, file);
    }
    var url = text.contains("://") ? text : "http://" + text;
    try {
      var uri = new URI(url);
      boolean secure = "https".equals(uri.getScheme());
      if (uri.getHost() == null || !(secure || "http".equals(uri.getScheme()))) {
        throw invalid(text);
      }
      var path = uri.getRawPath() == null ? "" : uri.getRawPath();
      return new Endpoint(
          secure ? Protocol.TLS : Protocol.TCP,
          uri.getHost(),
          uri.getPort() > 0 ? uri.getPort() : secure ? 443 : DEFAULT_PORT,
          path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    } catch (URISyntaxException e) {
      throw invalid(text);
    }
  }

  /** The value of the {@code Host} header. */
  String authority() {
    return protocol == Protocol.UNIX ? "localhost" : host + ":" + port;
  }

  /** The base path of all targets. */
  String base() {
    return protocol == Protocol.UNIX ? "" : path;
  }

  /** The host without the brackets of an IPv6 address. */
  String address() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** The form that {@link #of} reads. */
  @Override
  public String toString() {
    return switch (protocol) {
      case UNIX -> "unix:" + path;
      case TCP -> "http://" + authority() + path;
      case TLS -> "https://" + authority() + path;
    };
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException(
        "\"%s\" is not the address of a server; write http://HOST:PORT, https://HOST:PORT or unix:PATH"
            .formatted(text));
  }
}
