package verwalter.cluster.joining;

import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.PinnedAuthority;

/**
 * The options of connections to the cluster addresses of members. Trust managers check the names in
 * certificates, so host names are not compared with them.
 */
public final class MemberOptions {
  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** For HTTPS between members. */
  public static HttpClientOptions http(ClusterTls tls) {
    return http(tls, Peers.NODES);
  }

  /** For HTTPS to members that {@code peers} accepts. */
  public static HttpClientOptions http(ClusterTls tls, Peers peers) {
    return http(Optional.of(tls.keys()), tls.trust(peers));
  }

  /** For WebSockets between members. */
  public static WebSocketClientOptions webSocket(ClusterTls tls) {
    return webSocket(tls, Peers.NODES);
  }

  /** For WebSockets to members that {@code peers} accepts. */
  public static WebSocketClientOptions webSocket(ClusterTls tls, Peers peers) {
    var options = new WebSocketClientOptions().setVerifyHost(false);
    secure(options, Optional.of(tls.keys()), tls.trust(peers));
    return options;
  }

  /** For a machine that joins, which has no certificate yet. */
  static HttpClientOptions joining(PinnedAuthority authority) {
    return http(Optional.empty(), authority);
  }

  private static HttpClientOptions http(
      Optional<X509ExtendedKeyManager> keys, X509ExtendedTrustManager trust) {
    var options = new HttpClientOptions().setVerifyHost(false);
    secure(options, keys, trust);
    return options;
  }

  private static void secure(
      ClientOptionsBase options,
      Optional<X509ExtendedKeyManager> keys,
      X509ExtendedTrustManager trust) {
    options.setConnectTimeout((int) CONNECT.toMillis());
    options
        .setSsl(true)
        .setTrustOptions(TrustOptions.wrap(trust))
        .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL));
    keys.ifPresent(it -> options.setKeyCertOptions(KeyCertOptions.wrap(it)));
  }

  private MemberOptions() {}
}
