package verwalter.cluster.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Optional;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.PinnedAuthority;
import verwalter.cluster.joining.ClusterMember.Address;

/** Sends requests to the cluster addresses of members. */
public final class ClusterClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final HttpClient http;

  private ClusterClient(Vertx vertx, HttpClientOptions options) {
    http = vertx.createHttpClient(options);
  }

  /** A client of a machine that joins. */
  static ClusterClient joining(Vertx vertx, PinnedAuthority authority) {
    return new ClusterClient(vertx, MemberOptions.joining(authority));
  }

  /** A client of a member. */
  public static ClusterClient member(Vertx vertx, ClusterTls tls) {
    return new ClusterClient(vertx, MemberOptions.http(tls));
  }

  /**
   * Sends a message to a {@link PeerCall}. Fails with {@link Refused} if the member refuses it, and
   * otherwise if there is no answer within 20 seconds.
   *
   * @param message a record
   * @param type the record of the answer
   */
  public <T> Future<T> send(Address address, String path, Object message, Class<T> type) {
    return send(address, HttpMethod.POST, path, Optional.of(message), type);
  }

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
                    .compose(response -> answer(response, type))
                    .onFailure(unfinished -> request.reset()));
  }

  private static <T> Future<T> answer(HttpClientResponse response, Class<T> type) {
    return LimitedBody.of(response, Messages.MOST_BYTES)
        .compose(
            body ->
                response.statusCode() == 200
                    ? read(body.toString(), type)
                    : read(body.toString(), Refused.Message.class)
                        .compose(it -> Future.failedFuture(Refused.of(it))));
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
