package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Loop;

/** Requests the place of this node in the ensemble from other members. */
final class ClusterEntry {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterEntry.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final HttpClient http;
  private final List<Address> others;

  /**
   * The place of this node, and the other members of the ensemble.
   *
   * @param self the place
   */
  record Place(Elector self, List<Elector> others) {}

  ClusterEntry(Vertx vertx, ClusterTls tls, ClusterMember member) {
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setKeyCertOptions(KeyCertOptions.wrap(tls.keys()))
                .setTrustOptions(TrustOptions.wrap(tls.trust(Peers.NODES)))
                .setVerifyHost(false) // the trust manager checks the names in the certificate
                .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL)));
    this.others =
        member.members().stream()
            .flatMap(each -> each.addresses().stream())
            .map(Address::of)
            .toList();
  }

  /** Requests the place of this node. */
  Future<Place> request(String host, int port) {
    return send(ElectorSlots.PATH, new JsonObject().put("host", host).put("port", port))
        .map(
            answer ->
                new Place(
                    ElectorSlots.read(answer),
                    answer.getJsonArray("others", new JsonArray()).stream()
                        .map(each -> ElectorSlots.read((JsonObject) each))
                        .toList()));
  }

  /** Reports that this node's server runs, until a member has added it. */
  void reportReady(Loop loop) {
    send(ElectorSlots.READY, new JsonObject())
        .onSuccess(
            answer -> {
              if (answer.getBoolean("added")) {
                LOG.info("this node was added to the ensemble");
              } else {
                loop.after(AGAIN, () -> reportReady(loop));
              }
            })
        .onFailure(
            why -> {
              LOG.info("this node was not added to the ensemble yet: {}", why.getMessage());
              loop.after(AGAIN, () -> reportReady(loop));
            });
  }

  private Future<JsonObject> send(String path, JsonObject message) {
    var attempt = Future.<JsonObject>failedFuture("no other member is known");
    for (var address : others) {
      attempt = attempt.recover(failure -> send(address, path, message));
    }
    return attempt;
  }

  private Future<JsonObject> send(Address address, String path, JsonObject message) {
    return http.request(HttpMethod.POST, address.port(), address.host(), path)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request ->
                request
                    .send(message.toBuffer())
                    .compose(
                        response ->
                            response
                                .body()
                                .compose(
                                    body ->
                                        response.statusCode() == 200
                                            ? Future.succeededFuture(new JsonObject(body))
                                            : Future.failedFuture(body.toString()))));
  }
}
