package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.LimitedBody;
import verwalter.concurrent.Loop;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.PeerSnapshot;
import verwalter.stores.cluster.SnapshotSource;

/**
 * Exchanges between nodes what the copies of electors contain: a snapshot for a node that was away
 * for too long, and how much is durable.
 */
final class CopyExchange implements SnapshotSource {
  /** The path at the cluster port. */
  static final String PATH = "/cluster/v1/copy";

  private static final String SNAPSHOT = PATH + "/snapshot";
  private static final String DURABLE = PATH + "/durable";

  /** The time that a snapshot may take. */
  private static final Duration SENDING = Duration.ofMinutes(2);

  /** The time without any byte after which a request fails. */
  private static final Duration IDLE = Duration.ofSeconds(20);

  /** The number of snapshots that are sent at once, since each is in memory until it is sent. */
  private static final int MOST_SNAPSHOTS = 3;

  /** The limit of a number in an answer, in bytes. */
  private static final int NUMBER = 20;

  private final HttpClient http;
  private final Loop loop;
  private final Supplier<Map<String, String>> others;
  private final long most;
  private volatile @Nullable ClusterStore store;
  private final Permits snapshots = new Permits(MOST_SNAPSHOTS);
  private int turn; // on the loop of the store

  /**
   * Creates an exchange without a store.
   *
   * @param others the cluster addresses of the other electors by name
   * @param most the limit of a snapshot, in bytes
   * @param first a number that selects the elector that is asked first
   */
  CopyExchange(
      HttpClient http, Loop loop, Supplier<Map<String, String>> others, long most, int first) {
    this.http = http;
    this.loop = loop;
    this.others = others;
    this.most = most;
    this.turn = first;
  }

  /** Sets the store of this elector. */
  void use(ClusterStore opened) {
    store = opened;
  }

  @Override
  public Future<PeerSnapshot> newest() {
    var addresses = new ArrayList<>(others.get().values());
    if (addresses.isEmpty()) {
      return Future.failedFuture("no other elector is known");
    }
    return get(addresses.get(Math.floorMod(turn++, addresses.size())), SNAPSHOT, most)
        .compose(SnapshotBytes::read);
  }

  /** The number of the last entry that is durable at the elector with this cluster address. */
  Future<Long> durable(String address) {
    return get(address, DURABLE, NUMBER).map(body -> Long.valueOf(body.toString()));
  }

  private Future<Buffer> get(String address, String path, long limit) {
    var at = Address.of(address);
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(at.host())
            .setPort(at.port())
            .setURI(path)
            .setIdleTimeout(IDLE.toMillis());
    return http.request(options)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request ->
                request
                    .send()
                    .compose(response -> body(response, at, limit))
                    .onFailure(unfinished -> request.reset()));
  }

  private static Future<Buffer> body(HttpClientResponse response, Address from, long limit) {
    return response.statusCode() == 200
        ? LimitedBody.of(response, limit)
        : Future.failedFuture(
            new IOException("%s answers %d".formatted(from, response.statusCode())));
  }

  /** Answers a node, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    var own = store;
    if (peer.type() != CertifiedName.Type.NODE) {
      request.response().setStatusCode(403).end("only nodes have copies of the log");
    } else if (own == null || own.problem().isPresent()) {
      request.response().setStatusCode(503).end("the copy of this node cannot be used now");
    } else if (request.path().equals(DURABLE) && !peer.elector()) {
      request.response().setStatusCode(403).end("only electors ask for this");
    } else if (request.path().equals(DURABLE)) {
      request.response().end(Long.toString(own.durable()));
    } else if (request.path().equals(SNAPSHOT)) {
      snapshot(own, request);
    } else {
      request.response().setStatusCode(404).end("no such path");
    }
  }

  private void snapshot(ClusterStore own, HttpServerRequest request) {
    var permit = snapshots.take();
    if (permit.isEmpty()) {
      request.response().setStatusCode(503).end("this node sends snapshots to others now");
      return;
    }
    var response = request.response();
    var late = loop.after(SENDING, () -> request.connection().close());
    Runnable release =
        () -> {
          late.cancel();
          permit.get().run();
        };
    response.closeHandler(closed -> release.run());
    loop.offload(() -> SnapshotBytes.of(PeerSnapshot.of(own.snapshot())))
        .compose(response::end)
        .onFailure(why -> request.connection().close())
        .onComplete(done -> release.run());
  }
}
