package verwalter.cluster.following;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.mirror.MirrorClient;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * The log of a cluster as an elector sends it, for a node that appends nothing. If the connection
 * ends or is silent, it goes on with another elector. All state belongs to the loop.
 */
public final class FollowedLog implements ReplicatedLog {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedLog.class);

  /** The time without a message after which another elector is tried. */
  static final Duration SILENCE = Duration.ofSeconds(3);

  /** For how long an elector may know of no leader before another one is tried. */
  static final Duration LEADERLESS = Duration.ofSeconds(8);

  private static final Duration CHECK = Duration.ofSeconds(1);
  private static final Duration OPEN_LIMIT = Duration.ofSeconds(15);

  /** Nothing is appended; a cluster store only needs some limit. */
  private static final long LARGEST_APPEND = 2 << 20;

  private final Loop loop;
  private final Parts parts;
  private @Nullable Follower follower;

  /** The number of the entry that is reported next. */
  private long next;

  private @Nullable Session session;

  /** The number of the present attempt. What belongs to earlier ones is ignored. */
  private long attempt;

  private int turn;
  private int failures;
  private String reported = "";
  private boolean over;

  /**
   * What a log needs.
   *
   * @param connector connects to the addresses of electors
   * @param electors the addresses of the electors, {@code host:port}, in any order
   * @param leadership receives who leads; on the loop
   * @param backoff the delay after a connection failed or ended; should have jitter
   * @param chance a random number from 0 (inclusive) to 1 (exclusive), which selects the elector
   * @param failed called on the loop with the address after each connection that failed
   */
  public record Parts(
      MirrorClient.Connector connector,
      Supplier<List<String>> electors,
      FollowedLeadership leadership,
      Backoff backoff,
      double chance,
      Consumer<String> failed) {}

  /**
   * Creates a log that is not connected.
   *
   * @param loop that of the leadership and of the connector
   */
  public FollowedLog(Loop loop, Parts parts) {
    this.loop = loop;
    this.parts = parts;
  }

  @Override
  public void follow(long from, Follower follower) {
    loop.execute(
        () -> {
          this.follower = follower;
          next = from;
          open();
        });
  }

  /** Appends nothing: the leader appends. */
  @Override
  public void append(long first, List<ByteBuffer> entries, Receipt receipt) {
    loop.execute(() -> receipt.unknown("this node only follows the log"));
  }

  /** Trims nothing. */
  @Override
  public void trim(long last) {}

  @Override
  public long largestAppend() {
    return LARGEST_APPEND;
  }

  @Override
  public void close() {
    loop.execute(this::end);
  }

  @Override
  public String toString() {
    return "the log of " + Optional.ofNullable(session).map(it -> it.elector).orElse("no elector");
  }

  private void end() {
    over = true;
    attempt++;
    var present = session;
    session = null;
    if (present != null) {
      present.link.close();
    }
  }

  private void open() {
    if (over) {
      return;
    }
    long mine = ++attempt;
    var electors = parts.electors().get();
    if (electors.isEmpty()) {
      failed(mine, "", "no elector is known");
      return;
    }
    int chosen = (int) (parts.chance() * electors.size()) + turn++;
    var elector = electors.get(Math.floorMod(chosen, electors.size()));
    var limit = loop.after(OPEN_LIMIT, () -> failed(mine, elector, "it does not answer"));
    parts
        .connector()
        .connect(
            elector,
            link -> {
              limit.cancel();
              return opened(mine, elector, link);
            },
            why -> {
              limit.cancel();
              failed(mine, elector, why);
            });
  }

  private MirrorLink.Receiver opened(long mine, String elector, MirrorLink link) {
    var opened = new Session(mine, elector, link);
    if (mine != attempt || over) {
      link.close();
      return opened;
    }
    session = opened;
    link.send(FeedCodec.write(new FeedMessage.Hello(FeedMessage.PROTOCOL, next)));
    loop.after(CHECK, opened::check);
    return opened;
  }

  private void failed(long mine, String elector, String why) {
    if (mine != attempt || over) {
      return;
    }
    var present = session;
    session = null;
    if (present != null) {
      present.link.close();
    }
    if (!why.equals(reported)) {
      reported = why;
      LOG.info("elector={} the log is not followed: {}; trying others", elector, why);
    }
    long then = ++attempt;
    if (!elector.isEmpty()) {
      parts.failed().accept(elector);
    }
    loop.after(
        parts.backoff().delay(++failures),
        () -> {
          if (then == attempt) {
            open();
          }
        });
  }

  /** The connection to an elector. */
  private final class Session implements MirrorLink.Receiver {
    private final long mine;
    private final String elector;
    private final MirrorLink link;

    /** The checks since a message arrived, which a clock that is set does not change. */
    private int silent;

    /** The checks since the elector knows of no leader. */
    private int leaderless;

    private boolean leads;
    private boolean begun;

    Session(long mine, String elector, MirrorLink link) {
      this.mine = mine;
      this.elector = elector;
      this.link = link;
    }

    private boolean isPresent() {
      return mine == attempt && !over;
    }

    void check() {
      if (isPresent()) {
        leaderless = leads ? 0 : leaderless + 1;
        if (++silent > SILENCE.dividedBy(CHECK)) {
          failed(mine, elector, "it is silent");
        } else if (leaderless > LEADERLESS.dividedBy(CHECK)) {
          failed(mine, elector, "it knows of no leader");
        } else {
          loop.after(CHECK, this::check);
        }
      }
    }

    @Override
    public void received(Buffer message) {
      if (!isPresent()) {
        return;
      }
      silent = 0;
      try {
        var read = FeedCodec.read(message);
        if (read instanceof FeedMessage.Leader leader) {
          begun(leader.term().isPresent());
          parts.leadership().reported(leader.term());
        } else {
          parts.leadership().heard();
        }
        if (read instanceof FeedMessage.Entries entries) {
          receive(entries);
        } else if (read instanceof FeedMessage.Gone gone) {
          gone(gone);
        } else if (read instanceof FeedMessage.Up) {
          throw new IOException("it is one of an observer");
        }
      } catch (IOException wrong) {
        failed(mine, elector, "its message is not understood: " + wrong.getMessage());
      }
    }

    private void begun(boolean hasLeader) {
      leads = hasLeader;
      if (!begun) {
        begun = true;
        LOG.info("elector={} the log is followed from entry {} on", elector, next);
      }
      if (hasLeader) {
        failures = 0;
        reported = "";
      }
    }

    private void receive(FeedMessage.Entries entries) throws IOException {
      if (entries.first() != next) {
        throw new IOException("entry %d instead of %d".formatted(entries.first(), next));
      }
      next += entries.entries().size();
      follower().committed(entries.first(), entries.entries(), false);
      if (isPresent()) {
        link.send(FeedCodec.write(new FeedMessage.Ack()));
      }
    }

    private void gone(FeedMessage.Gone gone) throws IOException {
      if (gone.last() < next) {
        throw new IOException("entry %d is not gone".formatted(next));
      }
      end();
      follower().trimmed(gone.last());
    }

    @Override
    public void drained() {}

    @Override
    public void closed() {
      failed(mine, elector, "the connection has ended");
    }
  }

  private Follower follower() {
    if (follower == null) {
      throw new IllegalStateException("the log is not followed");
    }
    return follower;
  }
}
