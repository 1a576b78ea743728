package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.concurrent.Loop;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.PeerSnapshot;
import verwalter.stores.cluster.SnapshotSource;

/**
 * Exchanges between electors what their copies of the log contain: a snapshot for an elector that
 * was away for too long, and how much is durable, so that the leader can trim the log.
 */
final class CopyExchange implements SnapshotSource {
  /** The path at the cluster port. */
  static final String PATH = "/cluster/v1/copy";

  private static final Logger LOG = LoggerFactory.getLogger(CopyExchange.class);
  private static final String SNAPSHOT = PATH + "/snapshot";
  private static final String DURABLE = PATH + "/durable";
  private static final Duration TRIM = Duration.ofSeconds(30);

  private final HttpClient http;
  private final Loop loop;
  private final Supplier<Map<String, String>> others;
  private volatile @Nullable ClusterStore store;
  private int turn; // on the loop of the store

  /**
   * Creates an exchange without a store.
   *
   * @param others the cluster addresses of the other electors by name
   */
  CopyExchange(HttpClient http, Loop loop, Supplier<Map<String, String>> others) {
    this.http = http;
    this.loop = loop;
    this.others = others;
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
    return get(addresses.get(turn++ % addresses.size()), SNAPSHOT).map(CopyExchange::read);
  }

  private Future<Buffer> get(String address, String path) {
    var at = Address.of(address);
    return http.request(HttpMethod.GET, at.port(), at.host(), path)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request ->
                request
                    .send()
                    .compose(
                        response ->
                            response.statusCode() == 200
                                ? response.body()
                                : Future.failedFuture(
                                    "%s answers %d".formatted(at, response.statusCode()))));
  }

  /** Answers an elector, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    var own = store;
    if (!peer.elector() || own == null || own.problem().isPresent()) {
      request.response().setStatusCode(peer.elector() ? 503 : 403).end();
    } else if (request.path().equals(DURABLE)) {
      request.response().end(Long.toString(own.durable()));
    } else {
      loop.offload(() -> written(PeerSnapshot.of(own.snapshot())))
          .onSuccess(bytes -> request.response().end(bytes))
          .onFailure(why -> request.response().setStatusCode(500).end());
    }
  }

  private static Buffer written(PeerSnapshot snapshot) {
    var bytes = Buffer.buffer().appendLong(snapshot.index()).appendLong(snapshot.version());
    for (var block : snapshot.blocks()) {
      var content = new byte[block.remaining()];
      block.duplicate().get(content);
      bytes.appendInt(content.length).appendBytes(content);
    }
    return bytes;
  }

  private static PeerSnapshot read(Buffer bytes) {
    var blocks = new ArrayList<ByteBuffer>();
    int at = Long.BYTES + Long.BYTES;
    while (at < bytes.length()) {
      int length = bytes.getInt(at);
      at += Integer.BYTES;
      blocks.add(ByteBuffer.wrap(bytes.getBytes(at, at + length)));
      at += length;
    }
    return new PeerSnapshot(bytes.getLong(0), bytes.getLong(Long.BYTES), blocks);
  }

  /**
   * Trims the log from time to time while this node leads.
   *
   * @param self name of this elector
   */
  void trim(String self, BooleanSupplier leads) {
    loop.after(
        TRIM,
        () -> {
          var own = store;
          if (own != null && leads.getAsBoolean()) {
            trim(self, own);
          }
          trim(self, leads);
        });
  }

  private void trim(String self, ClusterStore own) {
    var known = others.get();
    var electors = new TreeSet<>(known.keySet());
    electors.add(self);
    var durable = new HashMap<String, Long>();
    durable.put(self, own.durable());
    var requests = new ArrayList<Future<?>>();
    known.forEach(
        (name, address) ->
            requests.add(
                get(address, DURABLE)
                    .onSuccess(
                        body ->
                            loop.execute(
                                () -> durable.put(name, Long.parseLong(body.toString()))))));
    Future.join(requests)
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      LOG.debug("durable={}", durable);
                      own.trim(durable, electors);
                    }));
  }
}
