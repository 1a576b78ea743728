package verwalter.artifacts;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * Which proxy a download uses, as the variables {@code http_proxy}, {@code https_proxy} and {@code
 * no_proxy} say; the names may also be in upper case. {@code no_proxy} is a list with commas of
 * names, which stand for all hosts below them too, with a port or not, or {@code *}. Immutable.
 */
public final class ProxyTable {
  /** No proxy. */
  public static final ProxyTable NONE = new ProxyTable(Map.of(), List.of());

  private final Map<String, Server> servers;
  private final List<String> direct;

  /** A proxy, and the value of Proxy-Authorization. */
  private record Server(InetSocketAddress address, Optional<String> credentials) {}

  private ProxyTable(Map<String, Server> servers, List<String> direct) {
    this.servers = servers;
    this.direct = direct;
  }

  /**
   * Reads the variables of an environment.
   *
   * @throws ArtifactException with the reason BAD_SETTING if a proxy is not an http URL
   */
  public static ProxyTable of(Map<String, String> environment) throws ArtifactException {
    var servers = new java.util.HashMap<String, Server>();
    for (var scheme : List.of("http", "https")) {
      var text = variable(environment, scheme + "_proxy");
      if (!text.isEmpty()) {
        servers.put(scheme, server(scheme + "_proxy", text));
      }
    }
    var direct =
        List.of(variable(environment, "no_proxy").split("[,\\s]+", -1)).stream()
            .filter(it -> !it.isEmpty())
            .map(it -> it.toLowerCase(Locale.ROOT))
            .toList();
    return new ProxyTable(Map.copyOf(servers), direct);
  }

  private static String variable(Map<String, String> environment, String name) {
    var lower = environment.getOrDefault(name, "");
    return lower.isEmpty()
        ? environment.getOrDefault(name.toUpperCase(Locale.ROOT), "").strip()
        : lower.strip();
  }

  private static Server server(String variable, String text) throws ArtifactException {
    try {
      var url = new URI(text.contains("://") ? text : "http://" + text);
      int port = url.getPort() < 0 ? 80 : url.getPort();
      if ("http".equalsIgnoreCase(url.getScheme()) && url.getHost() != null && port <= 65535) {
        var user = Optional.ofNullable(url.getUserInfo());
        return new Server(
            InetSocketAddress.createUnresolved(bare(url.getHost()), port),
            user.map(it -> "Basic " + encoded(it)));
      }
    } catch (URISyntaxException malformed) {
      // Reported below, without the text, which may hold a password.
    }
    throw new ArtifactException(
        Reason.BAD_SETTING, "use the proxy of", variable, "it is not of the form http://HOST:PORT");
  }

  private static String encoded(String user) {
    return Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private Optional<Server> server(URI url) {
    return isDirect(url)
        ? Optional.empty()
        : Optional.ofNullable(servers.get(String.valueOf(url.getScheme())));
  }

  /** The proxy for an address, or empty if there is none. */
  Optional<InetSocketAddress> address(URI url) {
    return server(url).map(Server::address);
  }

  /** The value of Proxy-Authorization for an address. */
  Optional<String> credentials(URI url) {
    return server(url).flatMap(Server::credentials);
  }

  private boolean isDirect(URI url) {
    var host = bare(String.valueOf(url.getHost())).toLowerCase(Locale.ROOT);
    int known = "https".equals(url.getScheme()) ? 443 : 80;
    int port = url.getPort() < 0 ? known : url.getPort();
    return direct.stream().anyMatch(it -> matches(it, host, port));
  }

  private static boolean matches(String pattern, String host, int port) {
    if (pattern.equals("*")) {
      return true;
    }
    var name = pattern;
    int colon = pattern.lastIndexOf(':');
    if (colon > 0 && pattern.indexOf(':') == colon) {
      if (!pattern.substring(colon + 1).equals(String.valueOf(port))) {
        return false;
      }
      name = pattern.substring(0, colon);
    }
    var bare = bare(name.replaceFirst("^\\*?\\.", ""));
    return host.equals(bare) || host.endsWith("." + bare);
  }

  /** For the HTTP client. */
  ProxySelector selector() {
    return new ProxySelector() {
      @Override
      public List<Proxy> select(URI url) {
        // The client asks for the address that it connects to.
        return List.of(
            address(url)
                .map(it -> new Proxy(Proxy.Type.HTTP, resolved(it)))
                .orElse(Proxy.NO_PROXY));
      }

      @Override
      public void connectFailed(URI url, SocketAddress proxy, IOException failed) {
        // The request fails.
      }
    };
  }

  private static InetSocketAddress resolved(InetSocketAddress it) {
    return new InetSocketAddress(it.getHostString(), it.getPort());
  }
}
