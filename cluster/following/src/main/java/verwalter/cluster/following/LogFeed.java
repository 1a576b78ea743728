package verwalter.cluster.following;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.stores.api.Change;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.cluster.LogTail;

/**
 * Sends the entries of the log, and who leads, to the observers that follow this elector. An
 * observer has at most {@value #WINDOW} messages with entries that it has not confirmed; the others
 * wait in the {@link LogTail}, whose size does not depend on the observers. Confined to its loop.
 */
public final class LogFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogFeed.class);

  /** The path of the WebSocket at an elector. */
  public static final String PATH = "/cluster/v1/log";

  /** The time between two messages to an observer when nothing happens. */
  static final Duration BEAT = Duration.ofSeconds(1);

  /** How long an observer may take to confirm entries. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The largest number of observers of an elector. */
  static final int MOST_OBSERVERS = 2000;

  /** The largest number of messages with entries that are not confirmed. */
  static final int WINDOW = 4;

  /** The limit of the entries of a message in bytes, unless one has more. */
  private static final int BATCH = 128 << 10;

  private final Loop loop;
  private final LogTail tail;
  private final Leadership leadership;
  private final BooleanSupplier usable;
  private final Set<Session> sessions = new LinkedHashSet<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private Optional<Term> term = Optional.empty();
  private Watch entries = () -> {};
  private Watch terms = () -> {};

  /** The last message with entries, since most observers need the same next. */
  private Optional<Packed> packed = Optional.empty();

  private boolean closed;

  /**
   * A message with entries.
   *
   * @param from the number of its first entry
   * @param next the number of the first entry after it
   */
  private record Packed(long from, long next, Buffer bytes) {}

  /**
   * Creates a feed that has not started.
   *
   * @param usable whether this elector receives the log; if not, observers try another one
   */
  public LogFeed(Loop loop, LogTail tail, Leadership leadership, BooleanSupplier usable) {
    this.loop = loop;
    this.tail = tail;
    this.leadership = leadership;
    this.usable = usable;
  }

  /** Begins to send. */
  public LogFeed start() {
    entries = tail.watch(this::changed);
    terms = leadership.watch(loop, this::led);
    loop.execute(this::beat);
    return this;
  }

  private void changed() {
    if (scheduled.compareAndSet(false, true)) {
      loop.execute(
          () -> {
            scheduled.set(false);
            List.copyOf(sessions).forEach(Session::pump);
          });
    }
  }

  private void led(Optional<Term> now) {
    term = now;
    var message = FeedCodec.write(new FeedMessage.Leader(now));
    sessions.forEach(each -> each.tell(message));
  }

  private void beat() {
    if (!closed) {
      loop.after(BEAT, this::beat);
      if (!usable.getAsBoolean()) {
        List.copyOf(sessions).forEach(Session::end);
      }
      var message = FeedCodec.write(new FeedMessage.Beat());
      List.copyOf(sessions).forEach(each -> each.beat(message));
    }
  }

  /**
   * Accepts the connection of an observer.
   *
   * @param node its name
   */
  public MirrorLink.Receiver accept(String node, MirrorLink link) {
    end(node); // an earlier connection of it is broken
    var session = new Session(node, link);
    if (closed || sessions.size() >= MOST_OBSERVERS) {
      session.end();
    } else {
      sessions.add(session);
    }
    return session;
  }

  /** Ends the connections of a node that was removed from the cluster. Thread-safe. */
  public void remove(String node) {
    loop.execute(() -> end(node));
  }

  /**
   * Ends the connections of the nodes that are removed from the store, until the watch is closed.
   */
  public Watch endRemoved(ObjectStore store) {
    return LastingWatch.of(
        store,
        Node.KIND,
        loop,
        change -> {
          if (change instanceof Change.Removed<Node.Spec, Node.Status> gone) {
            end(gone.resource().name());
          } else if (change instanceof Change.Ended) {
            List.copyOf(sessions).stream()
                .filter(each -> store.get(Node.KIND, each.node).isEmpty())
                .forEach(Session::end);
          }
        });
  }

  private void end(String node) {
    List.copyOf(sessions).stream().filter(each -> each.node.equals(node)).forEach(Session::end);
  }

  /** The number of observers that follow this elector. */
  int observers() {
    return sessions.size();
  }

  /** The entries from a number on, as a message; empty if there are none now. */
  private Optional<Packed> message(long from) {
    if (packed.filter(it -> it.from == from).isEmpty()
        && tail.read(from, BATCH) instanceof LogTail.Part.Entries read) {
      var bytes = FeedCodec.write(new FeedMessage.Entries(from, read.entries()));
      packed = Optional.of(new Packed(from, from + read.entries().size(), bytes));
    }
    return packed.filter(it -> it.from == from);
  }

  @Override
  public void close() {
    entries.close();
    terms.close();
    loop.execute(
        () -> {
          closed = true;
          List.copyOf(sessions).forEach(Session::end);
        });
  }

  /** The connection of an observer. */
  private final class Session implements MirrorLink.Receiver {
    private final String node;
    private final MirrorLink link;
    private long next;
    private int unconfirmed;

    /** The beats since it confirmed something, which a clock that is set does not change. */
    private int silent;

    private boolean over;

    Session(String node, MirrorLink link) {
      this.node = node;
      this.link = link;
    }

    void end() {
      if (!over) {
        over = true;
        sessions.remove(this);
        link.close();
      }
    }

    /** Sends a short message, if the observer has said what it needs. */
    void tell(Buffer message) {
      if (!over && next > 0) {
        link.send(message.copy());
      }
    }

    void beat(Buffer message) {
      boolean owes = next == 0 || unconfirmed > 0;
      silent = owes ? silent + 1 : 0;
      if (silent > PATIENCE.dividedBy(BEAT)) {
        LOG.info("node={} does not receive what was sent; its connection is closed", node);
        end();
      } else if (!link.isFull()) {
        tell(message);
      }
    }

    @Override
    public void received(Buffer message) {
      if (over) {
        return;
      }
      try {
        var read = FeedCodec.read(message);
        if (read instanceof FeedMessage.Hello hello && next == 0) {
          begin(hello);
        } else if (read instanceof FeedMessage.Ack && unconfirmed > 0) {
          unconfirmed--;
        } else {
          throw new IOException("it was not expected");
        }
      } catch (IOException wrong) {
        LOG.warn("node={} its message is not understood: {}", node, wrong.getMessage());
        end();
        return;
      }
      silent = 0;
      pump();
    }

    private void begin(FeedMessage.Hello hello) throws IOException {
      if (hello.protocol() != FeedMessage.PROTOCOL || hello.from() < 1) {
        throw new IOException("protocol %d".formatted(hello.protocol()));
      }
      next = hello.from();
      tell(FeedCodec.write(new FeedMessage.Leader(term)));
    }

    /** Sends what the observer may receive now. */
    void pump() {
      while (!over && next > 0 && unconfirmed < WINDOW && !link.isFull()) {
        var part = tail.read(next, 1);
        if (part instanceof LogTail.Part.Nothing) {
          return;
        }
        if (part instanceof LogTail.Part.Ended) {
          end();
          return;
        }
        if (part instanceof LogTail.Part.Gone gone) {
          link.send(FeedCodec.write(new FeedMessage.Gone(gone.last())));
          end();
          return;
        }
        var message = message(next);
        if (message.isEmpty()) { // it was dropped meanwhile
          continue;
        }
        unconfirmed++;
        next = message.get().next();
        link.send(message.get().bytes().copy());
      }
    }

    @Override
    public void drained() {
      pump();
    }

    @Override
    public void closed() {
      over = true;
      sessions.remove(this);
    }
  }
}
