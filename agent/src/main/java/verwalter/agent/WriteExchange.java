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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.following.ObserverWrites;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.LimitedBody;
import verwalter.cluster.mirror.WriteMessages;
import verwalter.concurrent.Loop;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.cluster.LeaderCommits;

/** Sends the writes of an observer to the leader, and commits those of observers at the leader. */
final class WriteExchange implements LeaderCommits {
  /** The path at the cluster port. */
  static final String PATH = "/cluster/v1/writes";

  /** The time without any byte after which a request fails. */
  private static final Duration IDLE = Duration.ofSeconds(15);

  /** The number of requests of a node that are received at once. */
  private static final int MOST_REQUESTS = 8;

  /** The time that a request may take to arrive. */
  private static final Duration RECEIVING = Duration.ofSeconds(10);

  private final HttpClient http;
  private final Loop loop;
  private final Map<String, Integer> receiving = new ConcurrentHashMap<>();
  private volatile @Nullable Cluster cluster;

  private record Cluster(ObjectStore store, CurrentLeader leader) {}

  /** Creates an exchange that sends and answers nothing yet. */
  WriteExchange(HttpClient http, Loop loop) {
    this.http = http;
    this.loop = loop;
  }

  /** Sets the objects of the cluster and who leads. */
  void use(ObjectStore store, CurrentLeader leader) {
    cluster = new Cluster(store, leader);
  }

  @Override
  public Future<Decided> commit(List<Write> writes) {
    var known = cluster;
    var address = known == null ? null : known.leader.addressElsewhere().orElse(null);
    if (address == null) {
      return Future.failedFuture(
          new StoreException.Unavailable("there is no leader; nothing was written"));
    }
    if (writes.isEmpty()) {
      return Future.succeededFuture(new Decided(0, Optional.empty(), List.of()));
    }
    var request = WriteMessages.request(writes);
    long based = writes.get(0).resource().meta().version();
    return send(Address.of(address), request)
        .recover(
            failure ->
                Future.failedFuture(
                    new StoreException.Unavailable(
                        "the leader at %s: %s; it is unknown whether this was written"
                            .formatted(address, failure.getMessage()))))
        .compose(answer -> read(answer, address, based));
  }

  private static Future<Decided> read(Buffer answer, String address, long based) {
    try {
      var decided = WriteMessages.answer(answer, address, based);
      return Future.succeededFuture(
          new Decided(decided.revision(), decided.refusal(), decided.results()));
    } catch (IOException wrong) {
      return Future.failedFuture(
          new StoreException.Unavailable(
              "the answer of the leader at %s is not understood: %s"
                  .formatted(address, wrong.getMessage())));
    }
  }

  private Future<Buffer> send(Address leader, Buffer request) {
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(leader.host())
            .setPort(leader.port())
            .setURI(PATH)
            .setIdleTimeout(IDLE.toMillis());
    return http.request(options)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            sent ->
                sent.send(request)
                    .compose(WriteExchange::body)
                    .onFailure(unfinished -> sent.reset()));
  }

  private static Future<Buffer> body(HttpClientResponse response) {
    return response.statusCode() == 200
        ? LimitedBody.of(response, WriteMessages.MOST_BYTES)
        : Future.failedFuture(new IOException("it answers " + response.statusCode()));
  }

  /** Commits the writes of an observer, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    var known = cluster;
    if (peer.type() != CertifiedName.Type.NODE) {
      request.response().setStatusCode(403).end("only nodes write here");
    } else if (known == null || !known.leader.isHere()) {
      request.response().setStatusCode(503).end("this node does not lead");
    } else if (receiving.merge(peer.name(), 1, Integer::sum) > MOST_REQUESTS) {
      received(peer.name());
      request.response().setStatusCode(503).end("this node sends too many writes at once");
    } else {
      receive(known, peer.name(), request);
    }
  }

  private void received(String node) {
    receiving.computeIfPresent(node, (name, now) -> now == 1 ? null : now - 1);
  }

  /** Receives and commits the writes of a node. */
  private void receive(Cluster known, String node, HttpServerRequest request) {
    var late = loop.after(RECEIVING, () -> request.connection().close());
    LimitedBody.of(request, WriteMessages.MOST_REQUEST)
        .onComplete(
            read -> {
              late.cancel();
              received(node);
              if (read.succeeded()) {
                loop.execute(() -> commit(known, node, read.result(), request));
              } else {
                request.response().putHeader("Connection", "close");
                request.response().setStatusCode(413).end(read.cause().getMessage());
              }
            });
  }

  private static void commit(Cluster cluster, String node, Buffer body, HttpServerRequest request) {
    List<Write> writes;
    try {
      writes = WriteMessages.writes(body);
    } catch (IOException | IllegalArgumentException malformed) {
      request.response().setStatusCode(400).end(String.valueOf(malformed.getMessage()));
      return;
    }
    var first = writes.get(0).resource().key();
    ObserverWrites.commit(cluster.store, node, writes)
        .onSuccess(done -> request.response().end(WriteMessages.committed(done)))
        .onFailure(
            why ->
                request
                    .response()
                    .end(WriteMessages.refused(why, first, cluster.store.revision())));
  }
}
