package verwalter.cluster.mirror;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Version;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.StoreFigures;
import verwalter.stores.api.Write;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MirrorStore;

/**
 * The mirrors of the objects of all nodes, at the leader of one term. They begin empty.
 *
 * <p>A node that is disconnected keeps its mirror. Writes are forwarded to the node that is the
 * master of the objects, with the versions that its own store gave them, and are visible here
 * before they are acknowledged.
 *
 * <p>Connections belong to the loop; everything else may be used from any thread.
 */
public final class Mirrors {
  private static final Logger LOG = LoggerFactory.getLogger(Mirrors.class);

  /**
   * Added to the epochs of mirrors, so that their versions are larger than those of any other
   * store: a watch or a page cannot continue in the history of another store.
   */
  static final long FIRST_EPOCH = (Version.LARGEST_EPOCH + 1) / 2;

  /** The time limit of a forwarded write. */
  static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  /** How often connections are checked in {@link NodeFeed#SILENCE}. */
  private static final int ROUNDS = 4;

  /** The maximum number of forwarded writes of one node that are not answered. */
  private static final int MOST_REQUESTS = 256;

  private final Loop loop;
  private final Masters masters;
  private final MirrorStore store;
  private final View view = new View();
  private final Map<String, Mirror> mirrors = new HashMap<>();
  private final Set<Session> sessions = new LinkedHashSet<>();
  private final Map<String, MirrorState> states = new ConcurrentHashMap<>();
  private final Map<Long, Forwarded> requests = new LinkedHashMap<>();
  private final List<Consumer<String>> beatListeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> completionListeners = new CopyOnWriteArrayList<>();
  private final LongAdder messages = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder objects = new LongAdder();
  private final LongAdder differences = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder forwarded = new LongAdder();
  private long lastRequest;
  private TimedExecutor.Timer silence;
  private volatile boolean closed;

  /**
   * Creates empty mirrors.
   *
   * @param epoch the epoch of the leader's term
   * @param limit the limit of the history for watches
   */
  public Mirrors(Loop loop, long epoch, HistoryLimit limit) {
    this(loop, epoch, limit, Masters.STANDARD);
  }

  Mirrors(Loop loop, long epoch, HistoryLimit limit, Masters masters) {
    this.loop = loop;
    this.masters = masters;
    this.store = new MirrorStore(FIRST_EPOCH + epoch, limit);
    this.silence = loop.after(NodeFeed.SILENCE, this::closeSilent);
  }

  /** All mirrored objects. Its versions are its own. */
  public ObjectStore objects() {
    return view;
  }

  /** The state of each mirror, by node. */
  public Map<String, MirrorState> states() {
    return Map.copyOf(states);
  }

  /** Whether the mirror of this node had all its objects at least once in this term. */
  public boolean complete(String node) {
    var state = states.get(node);
    return state != null && state.complete();
  }

  /** The contents of the mirrors in numbers. */
  public StoreFigures contents() {
    return store.figures();
  }

  /** The traffic in numbers. */
  public MirrorFigures figures() {
    return new MirrorFigures(
        messages.sum(),
        bytes.sum(),
        sentBytes.sum(),
        objects.sum(),
        differences.sum(),
        refused.sum(),
        forwarded.sum());
  }

  /** Calls the listener on the loop with the machine id of each heartbeat. */
  public Watch onBeat(Consumer<String> listener) {
    beatListeners.add(listener);
    return () -> beatListeners.remove(listener);
  }

  /** Calls the listener on the loop when a mirror has become complete. */
  public Watch onComplete(Runnable listener) {
    completionListeners.add(listener);
    return () -> completionListeners.remove(listener);
  }

  /**
   * Accepts a connection of a node. Call on the loop.
   *
   * @return receives what arrives on it
   */
  public MirrorLink.Receiver accept(MirrorPeer peer, MirrorLink link) {
    var session = new Session(peer, link);
    sessions.add(session);
    if (closed) {
      session.end();
    }
    return session;
  }

  /**
   * Connects the node of the leader itself.
   *
   * @param near the loop of the node's feed
   * @param opened called on that loop with the node's end
   */
  public void connect(
      MirrorPeer self, Loop near, Function<MirrorLink, MirrorLink.Receiver> opened) {
    DirectLink.connect(near, opened, loop, link -> accept(self, link));
  }

  /** Removes the mirror of a node that does not belong to the cluster any more. */
  public void remove(String node) {
    loop.execute(
        () -> {
          var mirror = mirrors.remove(node);
          if (mirror != null) {
            mirror.disconnect();
            store.apply(List.of(), mirror.marks.keys());
          }
          states.remove(node);
        });
  }

  /** Ends all connections and watches; forwarded writes fail. Reads remain possible. */
  public void close() {
    closed = true;
    loop.execute(
        () -> {
          silence.cancel();
          List.copyOf(sessions).forEach(Session::end);
          store.close();
        });
  }

  private void closeSilent() {
    for (var session : List.copyOf(sessions)) {
      if (++session.silent > ROUNDS) {
        LOG.info("node={} is silent; its connection is closed", session.peer.node());
        session.end();
      }
    }
    silence = loop.after(NodeFeed.SILENCE.dividedBy(ROUNDS), this::closeSilent);
  }

  /** The mirror of one node. */
  private final class Mirror {
    private final String node;
    private final Marks marks = new Marks();
    private @Nullable Session session;
    private boolean complete;
    private @Nullable Instant confirmed;

    Mirror(String node) {
      this.node = node;
    }

    void publish() {
      states.put(
          node,
          new MirrorState(session != null, complete, Optional.ofNullable(confirmed), marks.size()));
    }

    void disconnect() {
      if (session != null) {
        session.end();
      }
    }

    void apply(List<Resource<?, ?>> puts, List<ResourceKey> removals) {
      store.apply(puts, removals);
      puts.forEach(marks::put);
      removals.forEach(marks::remove);
    }
  }

  /** A connection. */
  private final class Session implements MirrorLink.Receiver {
    private final MirrorPeer peer;
    private final MirrorLink link;
    private @Nullable Mirror mirror;
    private long process;
    private long attempt;

    /** The rounds since a message arrived, which a clock that is set does not change. */
    private int silent;

    private boolean over;

    Session(MirrorPeer peer, MirrorLink link) {
      this.peer = peer;
      this.link = link;
    }

    void send(Message.Down message) {
      var buffer = MessageCodec.write(message);
      sentBytes.add(buffer.length());
      link.send(buffer);
    }

    void end() {
      if (over) {
        return;
      }
      over = true;
      sessions.remove(this);
      link.close();
      var mine = mirror;
      if (mine != null && mine.session == this) {
        mine.session = null;
        mine.publish();
      }
      for (var each : List.copyOf(requests.values())) {
        if (each.session == this) {
          each.fail(
              "the connection to node %s ended; it is unknown whether the write was carried out"
                  .formatted(peer.node()));
        }
      }
    }

    @Override
    public void closed() {
      end();
    }

    @Override
    public void drained() {}

    @Override
    public void received(Buffer message) {
      if (over) {
        return;
      }
      silent = 0;
      messages.increment();
      bytes.add(message.length());
      try {
        process(MessageCodec.read(message));
      } catch (IOException wrong) {
        refused.increment();
        LOG.warn("node={} its connection is closed: {}", peer.node(), wrong.getMessage());
        end();
      }
    }

    private void process(Message message) throws IOException {
      if (message instanceof Message.Hello hello) {
        greeted(hello);
        return;
      }
      var mine = mirror;
      if (mine == null) {
        throw new IOException("a message before the greeting");
      }
      if (message instanceof Message.Changes changes) {
        changed(mine, changes);
      } else if (message instanceof Message.Beat beat) {
        beat(mine, beat);
      } else if (message instanceof Message.Listing listing) {
        listed(mine, listing);
      } else if (message instanceof Message.Answer answer) {
        answered(mine, answer);
      } else {
        throw new IOException("a message that only a leader sends");
      }
    }

    private void greeted(Message.Hello hello) throws IOException {
      if (hello.protocol() != Message.PROTOCOL) {
        throw new IOException("it speaks version %d of the protocol".formatted(hello.protocol()));
      }
      if (!hello.node().equals(peer.node()) || mirror != null) {
        throw new IOException("it says that it is node " + hello.node());
      }
      var mine = mirrors.computeIfAbsent(peer.node(), Mirror::new);
      var earlier = mine.session;
      if (earlier != null
          && earlier.process == hello.process()
          && earlier.attempt > hello.attempt()) {
        end(); // this one is older, but arrived later
        return;
      }
      process = hello.process();
      attempt = hello.attempt();
      mirror = mine;
      mine.session = this;
      if (earlier != null) {
        earlier.end();
      }
      mine.publish();
      ask(mine, hello.digests());
    }

    /** Asks for what differs. */
    private void ask(Mirror mine, List<Marks.Digest> digests) {
      var listings = new ArrayList<String>();
      var wholes = new ArrayList<String>();
      for (var theirs : digests) {
        var ours = mine.marks.digest(theirs.kind());
        if (!ours.equals(theirs)) {
          (ours.count() == 0 ? wholes : listings).add(theirs.kind());
        }
      }
      send(new Message.Ask(listings, wholes, List.of()));
    }

    private void listed(Mirror mine, Message.Listing listing) {
      var wanted = new ArrayList<ResourceKey>();
      var listed = new HashSet<ResourceKey>();
      for (var each : listing.entries()) {
        var state = mine.marks.get(each.key());
        listed.add(each.key());
        if (state == null || state.mark() != each.mark()) {
          wanted.add(each.key());
        }
      }
      var gone = new ArrayList<ResourceKey>();
      for (var kind : listing.kinds()) {
        for (var name : mine.marks.names(kind)) {
          var key = new ResourceKey(kind, name);
          if (!listed.contains(key)) {
            gone.add(key);
          }
        }
      }
      if (!gone.isEmpty()) {
        mine.apply(List.of(), gone);
        mine.publish();
      }
      send(new Message.Ask(List.of(), List.of(), wanted));
    }

    private void changed(Mirror mine, Message.Changes changes) throws IOException {
      var puts = new ArrayList<Resource<?, ?>>(changes.puts().size());
      for (var each : changes.puts()) {
        puts.add(checked(NodeFeed.object(each)));
      }
      for (var key : changes.removals()) {
        check(masters.of(key).filter(peer.node()::equals).isPresent(), key);
      }
      objects.add((long) puts.size() + changes.removals().size());
      mine.apply(puts, changes.removals());
      boolean completed = changes.complete() && !mine.complete;
      mine.complete |= changes.complete();
      if (mine.complete) {
        mine.confirmed = loop.now();
      }
      mine.publish();
      send(new Message.Ack());
      if (completed) {
        completionListeners.forEach(Runnable::run);
      }
    }

    private Resource<?, ?> checked(Resource<?, ?> object) throws IOException {
      check(masters.allows(peer.node(), object), object.key());
      return object;
    }

    private void check(boolean own, ResourceKey key) throws IOException {
      if (!own) {
        throw new IOException("it sent %s, which is not its object".formatted(key));
      }
    }

    private void beat(Mirror mine, Message.Beat beat) {
      var listings = new ArrayList<String>();
      for (var theirs : beat.digests()) {
        if (!mine.marks.digest(theirs.kind()).equals(theirs)) {
          listings.add(theirs.kind());
        }
      }
      send(new Message.Ack());
      if (mine.complete && listings.isEmpty()) {
        mine.confirmed = loop.now();
        mine.publish();
      }
      if (!listings.isEmpty()) {
        differences.add(listings.size());
        LOG.warn("node={} kinds={} the mirror differs and is compared", mine.node, listings);
        send(new Message.Ask(listings, List.of(), List.of()));
      }
      beatListeners.forEach(listener -> listener.accept(peer.machine()));
    }

    private void answered(Mirror mine, Message.Answer answer) throws IOException {
      var request = requests.get(answer.id());
      if (request != null && request.session == this) {
        request.answered(mine, answer);
      }
    }
  }

  /** A transaction that a node carries out. */
  private final class Forwarded {
    private final long id;
    private final Session session;
    private final List<Write> writes;
    private final Promise<List<Resource<?, ?>>> promise;
    private final TimedExecutor.Timer timer;

    Forwarded(long id, Session session, List<Write> writes, Promise<List<Resource<?, ?>>> promise) {
      this.id = id;
      this.session = session;
      this.writes = writes;
      this.promise = promise;
      this.timer =
          loop.after(
              ANSWER_LIMIT,
              () ->
                  fail(
                      "node %s did not answer in %d seconds; it may still carry out the write"
                          .formatted(session.peer.node(), ANSWER_LIMIT.toSeconds())));
    }

    void fail(String why) {
      end();
      promise.tryFail(new StoreException.Unavailable(why));
    }

    private void end() {
      timer.cancel();
      requests.remove(id);
    }

    void answered(Mirror mirror, Message.Answer answer) throws IOException {
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
        promise.tryFail(refusal.exception(mirror.node, based, present));
        return;
      }
      var results = new ArrayList<Resource<?, ?>>();
      for (var each : answer.results()) {
        results.add(visible(mirror, NodeFeed.object(each)));
      }
      promise.tryComplete(results);
    }

    /** The object as it is here, or its last state if it was removed. */
    private Resource<?, ?> visible(Mirror mirror, Resource<?, ?> committed) {
      var state = mirror.marks.get(committed.key());
      return find(committed.key())
          .filter(object -> object.meta().uid().equals(committed.meta().uid()))
          .filter(object -> state != null && state.version() >= committed.meta().version())
          .orElseGet(() -> versioned(committed, store.revision()));
    }
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

  private void forward(List<Write> writes, Promise<List<Resource<?, ?>>> promise) {
    try {
      var mirror = master(writes);
      var session = mirror.session;
      if (closed || session == null) {
        throw new StoreException.Unavailable(
            closed
                ? "this node does not lead any more"
                : "node %s is not connected to the leader, and is the master of its objects"
                    .formatted(mirror.node));
      }
      if (requests.values().stream().filter(each -> each.session == session).count()
          >= MOST_REQUESTS) {
        throw new StoreException.Unavailable(
            "%d writes wait for node %s".formatted(MOST_REQUESTS, mirror.node));
      }
      var items = new ArrayList<Message.Request.Item>();
      for (var write : writes) {
        items.add(item(mirror, write));
      }
      var request = new Forwarded(++lastRequest, session, writes, promise);
      requests.put(request.id, request);
      forwarded.increment();
      session.send(new Message.Request(request.id, items));
    } catch (StoreException refusal) {
      promise.fail(refusal);
    }
  }

  private Mirror master(List<Write> writes) {
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
    var node = master.orElse("");
    var mirror = mirrors.get(node);
    if (mirror == null) {
      throw new StoreException.Unavailable(
          "node %s is not connected to the leader, and is the master of its objects"
              .formatted(node));
    }
    return mirror;
  }

  /** The write with the version of the master. */
  private Message.Request.Item item(Mirror mirror, Write write) {
    var object = write.resource();
    var key = object.key();
    long version = object.meta().version();
    var form =
        write instanceof Write.Put
            ? Message.Request.Form.PUT
            : write instanceof Write.PutStatus
                ? Message.Request.Form.STATUS
                : Message.Request.Form.REMOVE;
    long based = 0;
    if (version != 0) {
      var present = find(key).orElseThrow(() -> new StoreException.Missing(key));
      var state = mirror.marks.get(key);
      if (state == null) {
        throw new StoreException.Missing(key);
      }
      if (present.meta().version() != version) {
        throw new StoreException.Conflict(key, version, present.meta().version());
      }
      based = state.version();
    }
    return new Message.Request.Item(form, ByteBuffer.wrap(Codec.json(versioned(object, based))));
  }

  /** The mirrored objects as a store. */
  private final class View implements ObjectStore {
    @Override
    public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
      return store.get(kind, name);
    }

    @Override
    public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
      return store.list(kind, query);
    }

    /** Forwards the writes to the node that is their master. */
    @Override
    public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
      if (!fence.equals(Fence.NONE)) {
        return Future.failedFuture(
            new StoreException.Unavailable("writes to a node cannot be fenced"));
      }
      if (writes.isEmpty()) {
        return Future.succeededFuture(List.of());
      }
      var promise = Promise.<List<Resource<?, ?>>>promise();
      loop.execute(() -> forward(List.copyOf(writes), promise));
      return promise.future();
    }

    @Override
    public <S, T> Watch watch(
        Kind<S, T> kind,
        Selection selection,
        OptionalLong after,
        Loop watcherLoop,
        Consumer<Change<S, T>> watcher) {
      return store.watch(kind, selection, after, watcherLoop, watcher);
    }

    @Override
    public long revision() {
      return store.revision();
    }

    @Override
    public long epoch() {
      return store.epoch();
    }

    @Override
    public Set<Capability> capabilities() {
      return store.capabilities();
    }
  }
}
