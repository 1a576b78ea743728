package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Scope;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Query;
import verwalter.stores.api.Write;

/**
 * Sends the objects of a node to the leader, and carries out the writes that the leader forwards.
 * Confined to its loop.
 *
 * <p>It keeps no changes: it notes which objects have changed, and sends the present states of
 * these when the connection has room. So an object that changes often on a slow connection is sent
 * seldom, and the memory does not depend on the number of changes. At most {@value #WINDOW}
 * messages with changes are not acknowledged.
 *
 * <p>Of the events, the leader receives the newest ones only; see {@link NewestEvents}.
 *
 * <p>A connection begins with the digests of all kinds. The leader asks for a listing of the kinds
 * that differ, and then for the objects that differ. So a connection that was interrupted costs
 * what has changed meanwhile, whether or not the leader, this process or the store was restarted.
 * Later the digests are sent with every {@value #BEATS_TO_COMPARE}th heartbeat.
 */
public final class NodeFeed {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFeed.class);

  /** The kinds of node objects. */
  static final List<Kind<?, ?>> KINDS =
      Kinds.ALL.stream().filter(kind -> kind.scope() == Scope.NODE).toList();

  /** The maximum time without a message before a connection is given up. */
  static final Duration SILENCE = Leases.RENEWAL.multipliedBy(3).plusSeconds(9);

  private static final int WINDOW = 2;
  private static final int MOST_OBJECTS = 256;
  private static final int MOST_BYTES = 128 << 10;
  private static final int BEATS_TO_COMPARE = 30;

  private final String node;
  private final long process;
  private final ObjectStore store;
  private final ObjectStore forwarded;
  private final Loop loop;
  private final Masters masters;
  private final Map<String, Watch> watches = new HashMap<>();
  private final NewestEvents events;

  /** What the leader has once everything in {@link #unsent} is sent. */
  private Marks marks = new Marks();

  /** Objects to send, each with whether to send it even if it is as marked. */
  private final LinkedHashMap<ResourceKey, Boolean> unsent = new LinkedHashMap<>();

  private @Nullable Session session;
  private long attempts;
  private int beats;
  private boolean closed;

  /**
   * Creates a feed without a connection.
   *
   * @param node name of the node
   * @param process a number that grows with each start of this process, such as the time
   * @param store the node's own store, which is read
   * @param forwarded the same store with the permissions of forwarded writes
   * @param nodes the present number of nodes of the cluster: in a large one, each sends only its
   *     newest events
   */
  public NodeFeed(
      String node,
      long process,
      ObjectStore store,
      ObjectStore forwarded,
      Loop loop,
      IntSupplier nodes) {
    this(node, process, store, forwarded, loop, nodes, Masters.STANDARD);
  }

  NodeFeed(
      String node,
      long process,
      ObjectStore store,
      ObjectStore forwarded,
      Loop loop,
      IntSupplier nodes,
      Masters masters) {
    this.events = new NewestEvents(nodes);
    this.node = node;
    this.process = process;
    this.store = store;
    this.forwarded = forwarded;
    this.loop = loop;
    this.masters = masters;
  }

  /**
   * Begins a connection to a leader, which replaces an earlier one.
   *
   * @return receives what arrives on it
   */
  public MirrorLink.Receiver opened(MirrorLink link) {
    disconnect();
    var next = new Session(link);
    if (closed) {
      next.end();
      return next;
    }
    session = next;
    marks = new Marks();
    unsent.clear();
    for (var kind : KINDS) {
      watches.computeIfAbsent(kind.name(), any -> follow(kind));
      present(kind).values().forEach(marks::put);
    }
    var digests = new ArrayList<Marks.Digest>();
    KINDS.forEach(kind -> digests.add(marks.digest(kind.name())));
    next.send(new Message.Hello(Message.PROTOCOL, node, process, ++attempts, digests));
    return next;
  }

  /** Sends a heartbeat if there is a connection. A connection without any answer is closed. */
  public void beat() {
    if (session != null) {
      session.beat();
    }
  }

  /** Whether there is a connection over which the leader has answered. */
  public boolean connected() {
    return session != null && session.live;
  }

  /** Ends the connection, if there is one. */
  public void disconnect() {
    if (session != null) {
      session.end();
    }
  }

  /** Ends the connection. Nothing is sent afterwards. */
  public void close() {
    closed = true;
    disconnect();
    watches.values().forEach(Watch::close);
    watches.clear();
  }

  private <S, T> Watch follow(Kind<S, T> kind) {
    return store.watch(
        kind, OptionalLong.of(revision(kind)), loop, change -> changed(kind, change));
  }

  private <S, T> long revision(Kind<S, T> kind) {
    return store.list(kind, Query.ALL.limit(1)).revision();
  }

  private <S, T> Map<ResourceKey, Resource<?, ?>> present(Kind<S, T> kind) {
    var present = new HashMap<ResourceKey, Resource<?, ?>>();
    for (var each : store.list(kind)) {
      if (masters.allows(node, each)) {
        present.put(each.key(), each);
      }
    }
    if (kind.equals(Event.KIND)) {
      events.select(present.values());
      present.keySet().removeIf(key -> !events.has(key.name()));
    }
    return present;
  }

  private <S, T> void changed(Kind<S, T> kind, Change<S, T> change) {
    if (closed) {
      return;
    }
    if (change instanceof Change.Put<S, T> put) {
      if (kind.equals(Event.KIND) && masters.allows(node, put.resource())) {
        events.put(put.resource()).forEach(key -> unsent.putIfAbsent(key, false));
      }
      if (masters.allows(node, put.resource()) && !marks.has(put.resource())) {
        unsent.putIfAbsent(put.resource().key(), false);
      }
    } else if (change instanceof Change.Removed<S, T> gone) {
      if (kind.equals(Event.KIND)) {
        events.remove(gone.resource().name());
      }
      if (marks.get(gone.resource().key()) != null) {
        unsent.putIfAbsent(gone.resource().key(), false);
      }
    } else if (change instanceof Change.Ended<S, T>) {
      watches.put(kind.name(), follow(kind));
      compare(kind);
    }
    flush();
  }

  /** Notes the differences between the store and the marks. Returns their number. */
  private int compare(Kind<?, ?> kind) {
    var present = present(kind);
    int before = unsent.size();
    for (var each : present.values()) {
      if (!marks.has(each)) {
        unsent.putIfAbsent(each.key(), false);
      }
    }
    for (var name : marks.names(kind.name())) {
      if (!present.containsKey(kind.key(name))) {
        unsent.putIfAbsent(kind.key(name), false);
      }
    }
    return unsent.size() - before;
  }

  private void flush() {
    if (session != null) {
      session.flush();
    }
  }

  private Optional<Resource<?, ?>> find(ResourceKey key) {
    return Kinds.named(key.kind()).flatMap(kind -> get(kind, key.name()));
  }

  private <S, T> Optional<Resource<?, ?>> get(Kind<S, T> kind, String name) {
    return store
        .get(kind, name)
        .filter(object -> masters.allows(node, object))
        .filter(object -> !kind.equals(Event.KIND) || events.has(name))
        .map(object -> object);
  }

  /** A forwarded write whose answer waits until the changed objects are sent. */
  private record Reply(Set<ResourceKey> changed, Message.Answer answer) {}

  /** A connection. */
  private final class Session implements MirrorLink.Receiver {
    private final MirrorLink link;
    private final ArrayDeque<Boolean> unacknowledged = new ArrayDeque<>();
    private final ArrayDeque<Reply> replies = new ArrayDeque<>();

    /** The heartbeats since a message arrived, which a clock that is set does not change. */
    private int silent;

    /** Whether the leader has answered. */
    private boolean live;

    /** How many answers to listings are missing. */
    private int listings;

    /** Whether the leader has been informed that it has everything. */
    private boolean complete;

    private boolean over;

    Session(MirrorLink link) {
      this.link = link;
    }

    void send(Message message) {
      link.send(MessageCodec.write(message));
    }

    void end() {
      if (!over) {
        over = true;
        link.close();
        if (session == this) {
          session = null;
        }
      }
    }

    @Override
    public void received(Buffer message) {
      if (over) {
        return;
      }
      silent = 0;
      try {
        var read = MessageCodec.read(message);
        if (read instanceof Message.Ask ask) {
          asked(ask);
        } else if (read instanceof Message.Ack) {
          unacknowledged.poll();
        } else if (read instanceof Message.Request request) {
          carryOut(request);
        } else {
          throw new IOException("the leader sent a message of a node");
        }
      } catch (IOException wrong) {
        LOG.warn("node={} the leader's message is not understood: {}", node, wrong.getMessage());
        end();
        return;
      }
      flush();
    }

    @Override
    public void drained() {
      flush();
    }

    @Override
    public void closed() {
      end();
    }

    private void asked(Message.Ask ask) {
      if (live && listings > 0) {
        listings--;
      }
      live = true;
      for (var kind : ask.wholes()) {
        marks.names(kind).forEach(name -> unsent.put(new ResourceKey(kind, name), true));
      }
      ask.objects().forEach(key -> unsent.put(key, true));
      if (!ask.listings().isEmpty()) {
        list(ask.listings());
      }
    }

    private void list(List<String> kinds) {
      var entries = new ArrayList<Message.Listing.Entry>();
      for (var kind : kinds) {
        for (var name : marks.names(kind)) {
          var key = new ResourceKey(kind, name);
          var state = marks.get(key);
          if (state != null) {
            entries.add(new Message.Listing.Entry(key, state.mark()));
          }
        }
      }
      listings++;
      send(new Message.Listing(kinds, entries));
    }

    void flush() {
      if (over || !live) {
        return;
      }
      while (!unsent.isEmpty() && mayChange() && !link.isFull()) {
        sendBatch();
      }
      if (unsent.isEmpty() && listings == 0 && !complete && mayChange()) {
        complete = true;
        changes(new Message.Changes(true, List.of(), List.of()));
      }
      while (!replies.isEmpty()
          && replies.peek().changed().stream().noneMatch(unsent::containsKey)) {
        send(replies.remove().answer());
      }
    }

    private boolean mayChange() {
      return unacknowledged.stream().filter(changes -> changes).count() < WINDOW;
    }

    private void sendBatch() {
      var puts = new ArrayList<ByteBuffer>();
      var removals = new ArrayList<ResourceKey>();
      int bytes = 0;
      var each = unsent.entrySet().iterator();
      while (each.hasNext() && puts.size() + removals.size() < MOST_OBJECTS && bytes < MOST_BYTES) {
        var next = each.next();
        each.remove();
        var key = next.getKey();
        boolean forced = next.getValue();
        var found = find(key);
        if (found.isEmpty()) {
          if (forced || marks.get(key) != null) {
            marks.remove(key);
            removals.add(key);
          }
        } else if (forced || !marks.has(found.get())) {
          marks.put(found.get());
          var json = Codec.json(found.get());
          bytes += json.length;
          puts.add(ByteBuffer.wrap(json));
        }
      }
      if (!puts.isEmpty() || !removals.isEmpty()) {
        changes(new Message.Changes(false, puts, removals));
      }
    }

    private void changes(Message.Changes message) {
      unacknowledged.add(true);
      send(message);
    }

    void beat() {
      if (++silent > SILENCE.dividedBy(Leases.RENEWAL)) {
        LOG.info("node={} the leader does not answer; the connection is closed", node);
        end();
        return;
      }
      if (!live) {
        return;
      }
      var digests = new ArrayList<Marks.Digest>();
      if (++beats % BEATS_TO_COMPARE == 0) {
        KINDS.forEach(this::check);
        flush();
        if (unsent.isEmpty() && listings == 0) {
          KINDS.forEach(kind -> digests.add(marks.digest(kind.name())));
        }
      }
      unacknowledged.add(false);
      send(new Message.Beat(digests));
    }

    /** Finds changes that the watch has not reported, which is only late. */
    private void check(Kind<?, ?> kind) {
      int late = compare(kind);
      if (late > 0) {
        LOG.debug("node={} kind={} {} changes were not reported yet", node, kind.name(), late);
      }
    }

    private void carryOut(Message.Request request) throws IOException {
      var writes = new ArrayList<Write>();
      var keys = new HashSet<ResourceKey>();
      Optional<ResourceKey> first = Optional.empty();
      for (var each : request.writes()) {
        var object = object(each.object());
        var key = object.key();
        first = first.or(() -> Optional.of(key));
        keys.add(key);
        writes.add(
            switch (each.form()) {
              case PUT -> new Write.Put(object);
              case STATUS -> new Write.PutStatus(object);
              case REMOVE -> new Write.Remove(object);
            });
        if (!masters.allows(node, object)) {
          answer(request, new Refusal(Refusal.Reason.INVALID, key, "it is another node's object"));
          return;
        }
      }
      var about = first.orElseThrow(() -> new IOException("a request without a write"));
      forwarded
          .commit(writes)
          .onComplete(
              done ->
                  loop.execute(
                      () -> {
                        if (done.failed()) {
                          answer(request, Refusal.of(done.cause(), about));
                        } else {
                          committed(request, keys, done.result());
                        }
                      }));
    }

    private void committed(
        Message.Request request, Set<ResourceKey> keys, List<Resource<?, ?>> results) {
      if (over) {
        return;
      }
      keys.forEach(key -> unsent.putIfAbsent(key, false));
      var objects = results.stream().map(each -> ByteBuffer.wrap(Codec.json(each))).toList();
      replies.add(new Reply(keys, new Message.Answer(request.id(), Optional.empty(), objects)));
      flush();
    }

    private void answer(Message.Request request, Refusal refusal) {
      if (!over) {
        send(new Message.Answer(request.id(), Optional.of(refusal), List.of()));
      }
    }
  }

  /** Decodes an object of a message. */
  static Resource<?, ?> object(ByteBuffer json) throws IOException {
    var bytes = new byte[json.remaining()];
    json.duplicate().get(bytes);
    return Codec.fromJson(bytes);
  }
}
