package verwalter.cluster.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
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
import verwalter.cluster.joining.ClusterMember.Address;

/** Sends requests to the cluster address of a member. */
final class ClusterClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final HttpClient http;

  private ClusterClient(
      Vertx vertx, Optional<X509ExtendedKeyManager> keys, X509ExtendedTrustManager trust) {
    var options =
        new HttpClientOptions()
            .setSsl(true)
            .setTrustOptions(TrustOptions.wrap(trust))
            .setVerifyHost(false) // the trust manager checks the names in the certificate
            .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL))
            .setConnectTimeout((int) TIMEOUT.toMillis());
    keys.ifPresent(it -> options.setKeyCertOptions(KeyCertOptions.wrap(it)));
    http = vertx.createHttpClient(options);
  }

  /** A client of a machine that joins. */
  static ClusterClient joining(Vertx vertx, PinnedAuthority authority) {
    return new ClusterClient(vertx, Optional.empty(), authority);
  }

  /** A client of a member. */
  static ClusterClient member(Vertx vertx, ClusterTls tls) {
    return new ClusterClient(vertx, Optional.of(tls.keys()), tls.trust(Peers.NODES));
  }

  /** Sends a request. Fails with {@link Refused} if the member refuses it. */
  <T> Future<T> send(
      Address address, HttpMethod method, String path, Optional<?> message, Class<T> type) {
    var options =
        new RequestOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setMethod(method)
            .setURI(path)
            .setTimeout(TIMEOUT.toMillis())
            .putHeader("Content-Type", "application/json");
    return http.request(options)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request ->
                request
                    .send(message.map(Messages::text).orElse(""))
                    .compose(
                        response ->
                            response
                                .body()
                                .compose(
                                    body ->
                                        response.statusCode() == 200
                                            ? read(body.toString(), type)
                                            : read(body.toString(), Refused.Message.class)
                                                .compose(
                                                    it -> Future.failedFuture(Refused.of(it))))));
  }

  private static <T> Future<T> read(String text, Class<T> type) {
    try {
      return Future.succeededFuture(Messages.read(text, type));
    } catch (JsonProcessingException e) {
      return Future.failedFuture(
          new Refused(
              Refused.Reason.INVALID,
              "the response is not one of a member of a cluster: " + e.getOriginalMessage(),
              ""));
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
