package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.artifacts.ArchivePeers;
import verwalter.artifacts.Cancellation;
import verwalter.artifacts.Digest;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.LimitedBody;
import verwalter.cluster.joining.StoredState;
import verwalter.model.Node;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;

/**
 * The nodes of the cluster that have an archive. The leader knows them; without a leader some other
 * nodes are asked, which may have it. Thread-safe.
 */
final class ClusterArchives implements ArchivePeers {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterArchives.class);

  /** The time to connect to the leader, and without any byte of its answer. */
  private static final Duration IDLE = Duration.ofSeconds(3);

  /** The time for its whole answer. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** A waiting thread looks so often whether it was cancelled, in milliseconds. */
  private static final long LOOK = 50;

  /** The largest answer, in bytes: more than the names of the nodes in one. */
  private static final int ANSWER = 16 << 10;

  private final HttpClient http;
  private final ObjectStore store;
  private final String self;
  private final Leader leader;
  private final DoubleSupplier chance;

  /**
   * Who knows the nodes that have an archive.
   *
   * @param holders answers if this node leads
   * @param isHere whether it does
   * @param elsewhere the cluster address of the leader if that is another node
   */
  record Leader(
      ArchiveHolders holders, Supplier<Boolean> isHere, Supplier<Optional<String>> elsewhere) {}

  /**
   * @param http for requests to nodes
   * @param store has the Nodes with their addresses
   * @param self the name of this node
   * @param chance random numbers from 0 (inclusive) to 1 (exclusive)
   */
  ClusterArchives(
      HttpClient http, ObjectStore store, String self, Leader leader, DoubleSupplier chance) {
    this.http = http;
    this.store = store;
    this.self = self;
    this.leader = leader;
    this.chance = chance;
  }

  @Override
  public List<Peer> having(Digest digest, Cancellation cancellation) throws InterruptedException {
    var addresses = addresses();
    if (addresses.isEmpty()) {
      return List.of();
    }
    var named = named(digest, cancellation).orElseGet(() -> List.copyOf(addresses.keySet()));
    var others =
        named.stream()
            .flatMap(
                name ->
                    Optional.ofNullable(addresses.get(name)).stream()
                        .map(address -> new Peer(name, url(address, digest))))
            .toList();
    return ArchiveHolders.some(others, ArchiveHolders.MOST, chance);
  }

  private static URI url(Address at, Digest digest) {
    return URI.create("https://" + at + ArchiveExchange.path(digest));
  }

  /** The cluster addresses of the other nodes by name. */
  private Map<String, Address> addresses() {
    var others = new TreeMap<String, Address>();
    for (var node : store.list(Node.KIND)) {
      if (!node.name().equals(self) && Node.machineId(node).isPresent()) {
        StoredState.addresses(node).stream()
            .findFirst()
            .ifPresent(address -> others.put(node.name(), Address.of(address)));
      }
    }
    return others;
  }

  /** The nodes that have the archive; empty if no leader says it. */
  private Optional<List<String>> named(Digest digest, Cancellation cancellation)
      throws InterruptedException {
    if (leader.isHere().get()) {
      return Optional.of(leader.holders().of(digest.toString()));
    }
    var address = leader.elsewhere().get();
    return address.isEmpty()
        ? Optional.empty()
        : awaited(asked(Address.of(address.get()), digest), cancellation);
  }

  private static Optional<List<String>> awaited(
      Future<List<String>> answer, Cancellation cancellation) throws InterruptedException {
    var coming = answer.toCompletionStage().toCompletableFuture();
    for (long looks = LIMIT.toMillis() / LOOK; looks > 0; looks--) {
      if (cancellation.isCancelled()) {
        return Optional.of(List.of());
      }
      try {
        return Optional.of(coming.get(LOOK, TimeUnit.MILLISECONDS));
      } catch (TimeoutException notYet) {
        // Then look again.
      } catch (ExecutionException failed) {
        LOG.debug("the leader does not name the nodes that have an archive", failed);
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private Future<List<String>> asked(Address at, Digest digest) {
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(at.host())
            .setPort(at.port())
            .setURI(ArchiveExchange.pathOfNodes(digest))
            .setConnectTimeout(IDLE.toMillis())
            .setIdleTimeout(IDLE.toMillis());
    return http.request(options)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request ->
                request
                    .send()
                    .compose(
                        response ->
                            response.statusCode() == 200
                                ? LimitedBody.of(response, ANSWER)
                                : Future.failedFuture(
                                    new IOException(at + " answers " + response.statusCode())))
                    .onFailure(unfinished -> request.reset()))
        .compose(body -> names(body.toString()));
  }

  private static Future<List<String>> names(String answer) {
    try {
      var names = new ArrayList<String>();
      if (Json.object(Json.parse(answer)).get("nodes") instanceof List<?> list) {
        list.forEach(it -> names.add(String.valueOf(it)));
      }
      return Future.succeededFuture(names);
    } catch (DecodeException malformed) {
      return Future.failedFuture(malformed);
    }
  }

  @Override
  public void failed(Peer peer, Digest digest, String why) {
    LOG.info("archive={} not received from node {}: {}", digest, peer.name(), why);
  }
}
