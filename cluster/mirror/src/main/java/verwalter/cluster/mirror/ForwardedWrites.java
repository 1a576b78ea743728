package verwalter.cluster.mirror;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MirrorStore;

/**
 * The writes that the leader has sent to nodes, which carry them out in their own stores. A write
 * is answered after its results have arrived in the mirror of its node.
 *
 * <p>Versions of mirrored objects are those of the leader. A write is sent with the version that
 * the node's store gave the object.
 *
 * <p>{@link #commit}, {@link #count} and {@link #close} are thread-safe; everything else belongs to
 * the loop.
 */
final class ForwardedWrites {
  /** The time limit of an answer. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** The maximum number of writes to one node that are not answered. */
  private static final int MOST = 256;

  private final Loop loop;
  private final Masters masters;
  private final MirrorStore store;
  private final Function<String, Optional<Destination>> destinations;
  private final Map<Long, Request> requests = new LinkedHashMap<>();
  private final LongAdder count = new LongAdder();
  private long last;
  private volatile boolean closed;

  /** A connection to a node. */
  @FunctionalInterface
  interface Connection {
    void send(Message.Down message);
  }

  /**
   * A node that carries out writes.
   *
   * @param marks its objects in the store, with the versions of the node
   */
  record Destination(String node, Marks marks, Connection connection) {}

  /**
   * Creates an empty list of writes.
   *
   * @param masters the node of each object
   * @param store the mirrored objects
   * @param destinations finds a node by its name; empty if it is not connected
   */
  ForwardedWrites(
      Loop loop,
      Masters masters,
      MirrorStore store,
      Function<String, Optional<Destination>> destinations) {
    this.loop = loop;
    this.masters = masters;
    this.store = store;
    this.destinations = destinations;
  }

  /** Sends a transaction to the node that is the master of its objects. */
  Future<List<Resource<?, ?>>> commit(List<Write> writes) {
    var promise = Promise.<List<Resource<?, ?>>>promise();
    var all = List.copyOf(writes);
    loop.execute(
        () -> {
          try {
            send(all, promise);
          } catch (StoreException refusal) {
            promise.fail(refusal);
          }
        });
    return promise.future();
  }

  /** How many were sent. */
  long count() {
    return count.sum();
  }

  /** Refuses further writes. Those that were sent end with their connections. */
  void close() {
    closed = true;
  }

  /** Receives an answer. One that was not expected has no effect. */
  void answered(Connection from, Message.Answer answer) throws IOException {
    var request = requests.get(answer.id());
    if (request != null && request.to.connection() == from) {
      request.answered(answer);
    }
  }

  /** Fails the writes that were sent on a connection. */
  void ended(Connection connection) {
    for (var each : List.copyOf(requests.values())) {
      if (each.to.connection() == connection) {
        each.fail(
            "the connection to node %s ended; it is unknown whether the write was carried out"
                .formatted(each.to.node()));
      }
    }
  }

  private void send(List<Write> writes, Promise<List<Resource<?, ?>>> promise) {
    var node = master(writes);
    if (closed) {
      throw new StoreException.Unavailable("this node does not lead any more");
    }
    var to =
        destinations
            .apply(node)
            .orElseThrow(
                () ->
                    new StoreException.Unavailable(
                        "node %s is not connected to the leader, and is the master of its objects"
                            .formatted(node)));
    if (requests.values().stream().filter(each -> each.to.connection() == to.connection()).count()
        >= MOST) {
      throw new StoreException.Unavailable("%d writes wait for node %s".formatted(MOST, node));
    }
    var items = new ArrayList<Message.Request.Item>();
    for (var write : writes) {
      items.add(item(to.marks(), write));
    }
    var request = new Request(++last, to, writes, promise);
    requests.put(request.id, request);
    count.increment();
    to.connection().send(new Message.Request(request.id, items));
  }

  /** The only node of a transaction's objects. */
  private String master(List<Write> writes) {
    Optional<String> master = Optional.empty();
    for (var write : writes) {
      var key = write.resource().key();
      var node =
          masters
              .of(key)
              .orElseThrow(
                  () ->
                      new StoreException.Invalid(
                          key, "its name does not end with the name of its node"));
      if (!(write instanceof Write.Remove) && !masters.allows(node, write.resource())) {
        throw new StoreException.Invalid(key, "its spec and its name must have the same node");
      }
      if (master.filter(other -> !other.equals(node)).isPresent()) {
        throw new StoreException.Invalid(
            key, "a transaction cannot contain objects of several nodes");
      }
      master = Optional.of(node);
    }
    return master.orElse("");
  }

  /** The write with the version of the master. */
  private Message.Request.Item item(Marks marks, Write write) {
    var object = write.resource();
    var key = object.key();
    long version = object.meta().version();
    long based = 0;
    if (version != 0) {
      var present = find(key).orElseThrow(() -> new StoreException.Missing(key));
      var state = marks.get(key);
      if (state == null) {
        throw new StoreException.Missing(key);
      }
      if (present.meta().version() != version) {
        throw new StoreException.Conflict(key, version, present.meta().version());
      }
      based = state.version();
    }
    return new Message.Request.Item(
        Message.Request.Form.of(write), ByteBuffer.wrap(Codec.json(versioned(object, based))));
  }

  private static <S, T> Resource<S, T> versioned(Resource<S, T> object, long version) {
    return object.withMeta(object.meta().withVersion(version));
  }

  private Optional<Resource<?, ?>> find(ResourceKey key) {
    return Kinds.named(key.kind()).flatMap(kind -> get(kind, key.name()));
  }

  private <S, T> Optional<Resource<?, ?>> get(Kind<S, T> kind, String name) {
    return store.get(kind, name).map(object -> object);
  }

  /** A transaction that a node carries out. */
  private final class Request {
    private final long id;
    private final Destination to;
    private final List<Write> writes;
    private final Promise<List<Resource<?, ?>>> promise;
    private final TimedExecutor.Timer timer;

    Request(long id, Destination to, List<Write> writes, Promise<List<Resource<?, ?>>> promise) {
      this.id = id;
      this.to = to;
      this.writes = writes;
      this.promise = promise;
      this.timer =
          loop.after(
              LIMIT,
              () ->
                  fail(
                      "node %s did not answer in %d seconds; it may still carry out the write"
                          .formatted(to.node(), LIMIT.toSeconds())));
    }

    void fail(String why) {
      end();
      promise.tryFail(new StoreException.Unavailable(why));
    }

    private void end() {
      timer.cancel();
      requests.remove(id);
    }

    void answered(Message.Answer answer) throws IOException {
      end();
      if (answer.refusal().isPresent()) {
        var refusal = answer.refusal().get();
        long based =
            writes.stream()
                .map(Write::resource)
                .filter(object -> object.key().equals(refusal.key()))
                .mapToLong(object -> object.meta().version())
                .findFirst()
                .orElse(0);
        long present = find(refusal.key()).map(object -> object.meta().version()).orElse(0L);
        promise.tryFail(refusal.exception(to.node(), based, present));
        return;
      }
      var results = new ArrayList<Resource<?, ?>>();
      for (var each : answer.results()) {
        results.add(visible(NodeFeed.object(each)));
      }
      promise.tryComplete(results);
    }

    /** The object as it is here, or its last state if it was removed. */
    private Resource<?, ?> visible(Resource<?, ?> committed) {
      var state = to.marks().get(committed.key());
      return find(committed.key())
          .filter(object -> object.meta().uid().equals(committed.meta().uid()))
          .filter(object -> state != null && state.version() >= committed.meta().version())
          .orElseGet(() -> versioned(committed, store.revision()));
    }
  }
}
