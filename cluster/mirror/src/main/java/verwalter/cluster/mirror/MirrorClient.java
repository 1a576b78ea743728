package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;

/** Keeps the feed of a node connected to the present leader. Confined to its loop. */
public final class MirrorClient {
  /** The time limit for opening a connection. */
  static final Duration OPEN_LIMIT = Duration.ofSeconds(15);

  /** Opens connections to leaders. */
  @FunctionalInterface
  public interface Connector {
    /**
     * Opens a connection. Calls one of both on the loop, once.
     *
     * @param leader what {@link MirrorClient#follow} was given
     * @param opened called with the connection; returns its receiver
     * @param failed called with the reason
     */
    void connect(
        String leader, Function<MirrorLink, MirrorLink.Receiver> opened, Consumer<String> failed);
  }

  private final Loop loop;
  private final NodeFeed feed;
  private final Connector connector;
  private final Backoff backoff;
  private Optional<String> leader = Optional.empty();

  /** The number of the present attempt. What belongs to earlier ones is ignored. */
  private long attempt;

  private int failures;
  private String problem = "";

  /**
   * Creates a client that is not connected.
   *
   * @param loop the loop of the feed
   * @param backoff the delay after a connection failed or ended; should have jitter
   */
  public MirrorClient(Loop loop, NodeFeed feed, Connector connector, Backoff backoff) {
    this.loop = loop;
    this.feed = feed;
    this.connector = connector;
    this.backoff = backoff;
  }

  /** Connects to another leader, or to none. Nothing happens if it is the same. */
  public void follow(Optional<String> next) {
    if (!next.equals(leader)) {
      leader = next;
      failures = 0;
      problem = next.isEmpty() ? "there is no leader" : "";
      attempt++;
      feed.disconnect();
      open();
    }
  }

  /** Why there is no connection, for display; empty if there is one. */
  public Optional<String> problem() {
    return feed.connected() ? Optional.empty() : Optional.of(problem);
  }

  private void open() {
    if (leader.isEmpty()) {
      return;
    }
    long mine = ++attempt;
    var limit = loop.after(OPEN_LIMIT, () -> failed(mine, "the leader does not answer"));
    connector.connect(
        leader.get(),
        link -> {
          limit.cancel();
          return opened(mine, link);
        },
        why -> {
          limit.cancel();
          failed(mine, why);
        });
  }

  private MirrorLink.Receiver opened(long mine, MirrorLink link) {
    if (mine != attempt) {
      link.close();
      return IGNORING;
    }
    var receiver = feed.opened(link);
    return new MirrorLink.Receiver() {
      @Override
      public void received(Buffer message) {
        receiver.received(message);
        if (mine == attempt && feed.connected()) {
          failures = 0;
        }
      }

      @Override
      public void drained() {
        receiver.drained();
      }

      @Override
      public void closed() {
        receiver.closed();
        failed(mine, "the connection has ended");
      }
    };
  }

  private void failed(long mine, String why) {
    if (mine == attempt) {
      problem = why;
      long next = ++attempt;
      loop.after(
          backoff.delay(++failures),
          () -> {
            if (next == attempt) {
              open();
            }
          });
    }
  }

  /** Receives what arrives on a connection that is not needed any more. */
  private static final MirrorLink.Receiver IGNORING =
      new MirrorLink.Receiver() {
        @Override
        public void received(Buffer message) {}

        @Override
        public void drained() {}

        @Override
        public void closed() {}
      };
}
