package verwalter.cluster.mirror;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Version;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingStore;
import verwalter.stores.api.ObjectStore;
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

  /** How often connections are checked in {@link NodeFeed#SILENCE}. */
  private static final int ROUNDS = 4;

  private final Loop loop;
  private final Masters masters;
  private final MirrorStore store;
  private final View view;
  private final ForwardedWrites writes;
  private final Map<String, Mirror> mirrors = new HashMap<>();
  private final Set<Session> sessions = new LinkedHashSet<>();
  private final Map<String, MirrorState> states = new ConcurrentHashMap<>();
  private final List<Consumer<String>> beatListeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> completionListeners = new CopyOnWriteArrayList<>();
  private final LongAdder messages = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder objects = new LongAdder();
  private final LongAdder differences = new LongAdder();
  private final LongAdder refused = new LongAdder();
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
    this.view = new View();
    this.writes = new ForwardedWrites(loop, masters, store, this::destination);
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
        writes.count());
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
    writes.close();
    loop.execute(
        () -> {
          silence.cancel();
          List.copyOf(sessions).forEach(Session::end);
          store.close();
        });
  }

  private Optional<ForwardedWrites.Destination> destination(String node) {
    var mirror = mirrors.get(node);
    return mirror == null || mirror.session == null
        ? Optional.empty()
        : Optional.of(new ForwardedWrites.Destination(node, mirror.marks, mirror.session));
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
  private final class Session implements MirrorLink.Receiver, ForwardedWrites.Connection {
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

    @Override
    public void send(Message.Down message) {
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
      writes.ended(this);
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
        writes.answered(this, answer);
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
  }

  /** The mirrored objects as a store. */
  private final class View extends ForwardingStore<MirrorStore> {
    View() {
      super(store);
    }

    /** Forwards the writes to the node that is their master. */
    @Override
    public Future<List<Resource<?, ?>>> commit(List<Write> transaction, Fence fence) {
      if (!fence.equals(Fence.NONE)) {
        return Future.failedFuture(
            new StoreException.Unavailable("writes to a node cannot be fenced"));
      }
      return transaction.isEmpty() ? Future.succeededFuture(List.of()) : writes.commit(transaction);
    }
  }
}
