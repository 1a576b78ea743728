package verwalter.stores.cluster;

import io.vertx.core.AsyncResult;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.LogCopy;
import verwalter.stores.replicated.LogBlock;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * A log that several processes share, with a copy in files. The numbers of entries are those of the
 * replicated log.
 *
 * <p>Entries are reported when the replicated log reports them, and copied later. The copy may end
 * before the log, and even be lost: then entries are read again. If the copy contains entries that
 * the log does not contain, or other ones, the log has lost entries, and this log ends.
 *
 * <p>State belongs to the loop, on which the replicated log must call back.
 */
final class ClusterLog implements Log {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterLog.class);

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** How long the last call of {@link #trim} counts. */
  private static final Duration KNOWN = Duration.ofMinutes(1);

  /** Space for the parts of entries that {@link Entry#size} does not count. */
  private static final long MARGIN = 64 << 10;

  private static final String REMEDY =
      "The log has lost entries or was created again. Restore its members, or recover the cluster"
          + " from the copy with the most entries; do not delete the copies before";

  private final Supplier<ReplicatedLog> logs;
  private final LogCopy copy;
  private final CopyWriter writer;
  private final SnapshotSource peers;
  private final ClusterOptions options;
  private final TimedExecutor loop;
  private final Turns turns;
  private final LogRetention.Entries retained;
  private final LogTail tail;
  private final long largest;

  /** Used by the present call of {@link #append}. */
  private final Sink sink = new Sink();

  /** Called after each change of {@link #problem} and of {@link #durable}. */
  private final Runnable changed;

  /** The present replicated log; null while there is none. */
  private @Nullable ReplicatedLog log;

  private @Nullable Follower follower;

  /** The number of the entry that is reported next, and the link to the one before. */
  private long next = 1;

  private int link;

  private @Nullable Append pending;

  /** The number of the last entry in the copies of a majority, as far as it is known. */
  private long onMajority;

  private Instant trimmedAt = Instant.EPOCH;

  private volatile @Nullable String fetching;
  private volatile boolean over;

  /** Entries to append; {@code bytes} have a space for the link. */
  private static final class Append {
    final long first;
    final List<Entry> entries;
    final List<ByteBuffer> bytes;
    final Receipt receipt;
    boolean sent;
    boolean unanswered;

    Append(long first, List<Entry> entries, List<ByteBuffer> bytes, Receipt receipt) {
      this.first = first;
      this.entries = entries;
      this.bytes = bytes;
      this.receipt = receipt;
    }
  }

  ClusterLog(
      Supplier<ReplicatedLog> logs,
      LogCopy copy,
      SnapshotSource peers,
      LogTail tail,
      StoreEnvironment environment,
      Runnable changed) {
    this.logs = logs;
    this.tail = tail;
    this.copy = copy;
    this.peers = peers;
    this.options = environment.options();
    this.loop = environment.loop();
    this.changed = changed;
    this.writer = new CopyWriter(copy, loop, environment.executor(), changed);
    this.turns = new Turns(environment.chance());
    this.retained = new LogRetention.Entries(options.retention());
    var first = logs.get();
    this.log = first;
    this.largest = first.largestAppend() - LogBlock.size(List.of(ByteBuffer.allocate(0))) - MARGIN;
  }

  @Override
  public void read(Reader reader) throws IOException {
    link = EntryLink.to(copy.read(reader));
    next = copy.last() + 1;
    tail.begin(next);
  }

  @Override
  public void follow(Follower follower) {
    this.follower = follower;
    loop.execute(() -> open(requireLog()));
  }

  private ReplicatedLog requireLog() {
    if (log == null) {
      throw new IllegalStateException("the log is not open");
    }
    return log;
  }

  private Follower follower() {
    if (follower == null) {
      throw new IllegalStateException("the log is not followed");
    }
    return follower;
  }

  private void open(ReplicatedLog opened) {
    if (over) {
      opened.close();
      return;
    }
    log = opened;
    opened.follow(next, new Port(opened));
  }

  @Override
  public void append(long first, List<Entry> entries, Receipt receipt) {
    var bytes = entries.stream().map(each -> EntryLink.bytes(each, sink)).toList();
    var append = new Append(first, entries, bytes, receipt);
    try {
      loop.execute(() -> append(append));
    } catch (RejectedExecutionException closing) {
      receipt.unknown("the loop of " + this + " is closed");
    }
  }

  private void append(Append append) {
    if (over) {
      append.receipt.unknown(this + " is closed");
    } else if (LogBlock.size(append.bytes) > limit()) {
      append.receipt.nothingWritten("the transactions have more than %d bytes".formatted(limit()));
    } else if (isFull()) {
      append.receipt.nothingWritten(
          ("the log is full: more than %d bytes of it are not in the copies of a majority of the"
                  + " electors; see their problems")
              .formatted(options.retention().most()));
    } else if (append.first != next) {
      append.receipt.overtaken();
    } else {
      pending = append;
      loop.after(options.patience(), () -> giveUp(append));
      var wait = turns.delay(loop.now());
      if (wait.isZero()) {
        send(append);
      } else {
        loop.after(wait, () -> send(append));
      }
    }
  }

  /** Whether this process trims, and too much cannot be trimmed. */
  private boolean isFull() {
    return loop.now().isBefore(trimmedAt.plus(KNOWN)) && retained.isFull(onMajority);
  }

  private long limit() {
    return largest + MARGIN;
  }

  private void send(Append append) {
    if (pending != append || append.sent || over) {
      return;
    }
    if (append.first != next) {
      finish(append).overtaken();
      return;
    }
    var present = log;
    if (present == null) { // a snapshot is being fetched, which overtakes the append
      return;
    }
    append.sent = true;
    var before = link;
    for (var each : append.bytes) {
      each.putInt(0, before);
      before = EntryLink.to(EntryLink.body(each));
    }
    turns.begin(loop.now());
    present.append(append.first, append.bytes, new Answer(append));
  }

  private Receipt finish(Append append) {
    if (pending == append) {
      pending = null;
    }
    return append.receipt;
  }

  private void giveUp(Append append) {
    if (pending == append && !over) {
      unanswered(
          append,
          fetching != null
              ? String.valueOf(fetching)
              : "no majority of the electors has answered within %d s"
                  .formatted(options.patience().toSeconds()));
    }
  }

  private static void unanswered(Append append, String why) {
    if (!append.unanswered) {
      append.unanswered = true;
      append.receipt.unanswered(why);
    }
  }

  /** Receives the result of an append from the replicated log. */
  private final class Answer implements ReplicatedLog.Receipt {
    private final Append append;

    Answer(Append append) {
      this.append = append;
    }

    @Override
    public void appended() {
      turns.appended(loop.now());
      finish(append).committed();
    }

    @Override
    public void taken() {
      finish(append).overtaken();
    }

    @Override
    public void unknown(String why) {
      if (over && pending == append) {
        finish(append).unknown(why);
      } else if (pending == append) { // the follower is called too, and finishes the append
        unanswered(append, why);
      }
    }
  }

  /** Receives the entries of one replicated log. */
  private final class Port implements ReplicatedLog.Follower {
    private final ReplicatedLog of;

    Port(ReplicatedLog of) {
      this.of = of;
    }

    private boolean isPresent() {
      return log == of && !over;
    }

    @Override
    public void committed(long first, List<ByteBuffer> entries, boolean ours) {
      if (isPresent()) {
        receive(first, entries, ours);
      }
    }

    @Override
    public void trimmed(long last) {
      if (isPresent()) {
        log = null;
        if (pending != null && pending.sent) {
          unanswered(pending, "entries up to %d were trimmed meanwhile".formatted(last));
        }
        LOG.info("log={} entries up to {} were trimmed; fetching a snapshot", of, last);
        fetch(last);
      }
    }

    @Override
    public void ended(String why) {
      if (isPresent()) {
        end(
            "%s: %s. This node's copy in %s ends with entry %d. %s"
                .formatted(of, why, copy, next - 1, REMEDY));
      }
    }
  }

  private void receive(long first, List<ByteBuffer> entries, boolean ours) {
    var mine = ours && pending != null && pending.first == first ? pending.entries : null;
    var linked = new ArrayList<ByteBuffer>(entries.size());
    var bodies = new ArrayList<ByteBuffer>(entries.size());
    var decoded = new ArrayList<Entry>(entries.size());
    int before = link;
    try {
      for (var each : entries) {
        long number = first + bodies.size();
        if (!EntryLink.agree(each.getInt(each.position()), before)) {
          end(
              "%s: entry %d does not follow the entry %d that this node knows. %s"
                  .formatted(this, number, number - 1, REMEDY));
          return;
        }
        var whole = mine == null ? copied(each.duplicate()) : each;
        var body = EntryLink.body(whole);
        before = EntryLink.to(body);
        linked.add(whole);
        bodies.add(body);
        decoded.add(mine == null ? Entry.read(body.duplicate()) : mine.get(decoded.size()));
        retained.add(number, each.remaining());
      }
    } catch (IOException unknown) {
      end(
          "%s: entry %d cannot be read: %s; update this agent to the version that wrote it"
              .formatted(this, first + decoded.size(), unknown.getMessage()));
      return;
    } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
      end(
          "%s: entry %d is damaged: %s. %s"
              .formatted(this, first + decoded.size(), e.getMessage(), REMEDY));
      return;
    }
    link = before;
    next = first + entries.size();
    writer.add(first, bodies);
    if (!ours) {
      turns.other(loop.now());
    }
    follower().committed(first, decoded, ours);
    tail.add(linked);
  }

  /** Copies the bytes of an entry, so that its objects do not keep those of a whole block. */
  private static ByteBuffer copied(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  @Override
  public void applied(Snapshot latest) {
    writer.applied(latest);
  }

  /** Fetches a snapshot that contains the entry {@code least}. */
  private void fetch(long least) {
    if (over) {
      return;
    }
    setFetching("entries up to %d are not in the log; fetching a snapshot".formatted(least));
    peers.newest().onComplete(result -> loop.execute(() -> fetched(least, result)));
  }

  private void fetched(long least, AsyncResult<PeerSnapshot> result) {
    if (over) {
      return;
    }
    if (result.failed()) {
      fetchLater(least, String.valueOf(result.cause().getMessage()));
      return;
    }
    var snapshot = result.result();
    if (snapshot.index() < least || snapshot.index() < next) {
      fetchLater(least, "the newest snapshot ends with entry " + snapshot.index());
      return;
    }
    try {
      follower().replaced(snapshot::read);
    } catch (IOException
        | IllegalArgumentException
        | BufferUnderflowException
        | IndexOutOfBoundsException failure) {
      fetchLater(least, "the snapshot cannot be read: " + failure.getMessage());
      return;
    }
    LOG.info("log={} continues with a snapshot of entry {}", this, snapshot.index());
    next = snapshot.index() + 1;
    link = EntryLink.UNKNOWN;
    retained.clear();
    tail.begin(next);
    writer.replace();
    setFetching(null);
    open(logs.get());
    var waiting = pending;
    if (waiting != null) {
      finish(waiting).overtaken();
    }
  }

  private void fetchLater(long least, String why) {
    setFetching(
        "entries up to %d are not in the log, and no snapshot could be fetched: %s"
            .formatted(least, why));
    loop.after(RETRY, () -> fetch(least));
  }

  private void setFetching(@Nullable String why) {
    fetching = why;
    changed.run();
  }

  /** Allows the log to be trimmed up to the last entry in the copies of a majority. */
  void trim(long last) {
    loop.execute(
        () -> {
          onMajority = last;
          trimmedAt = loop.now();
          var present = log;
          if (!over && present != null) {
            retained.trim(last).ifPresent(present::trim);
          }
        });
  }

  /** The number of the last entry in the copy. Thread-safe. */
  long durable() {
    return copy.last();
  }

  /** A problem besides that of the engine, for display. Thread-safe. */
  Optional<String> problem() {
    return Optional.ofNullable(fetching).or(() -> Optional.ofNullable(writer.problem()));
  }

  /** Ends following because of a log that this process must not follow. */
  private void end(String why) {
    over = true;
    writer.stop();
    tail.end();
    if (log != null) {
      log.close();
    }
    follower().ended(why);
    var waiting = pending;
    if (waiting != null) {
      finish(waiting).unknown(why);
    }
  }

  @Override
  public long largestEntry() {
    return largest;
  }

  @Override
  public long largestAppend() {
    return largest;
  }

  /** Closes the log and the copy. Entries that are not copied yet are read again later. */
  @Override
  public void close() throws IOException {
    over = true;
    try {
      loop.execute(this::closed);
    } catch (RejectedExecutionException closing) {
      LOG.debug("log={} its loop is closed already", this);
    }
    copy.close();
  }

  private void closed() {
    writer.stop();
    if (log != null) {
      log.close();
    }
    var waiting = pending;
    if (waiting != null) {
      finish(waiting).unknown(this + " is closed");
    }
  }

  @Override
  public String toString() {
    return "cluster log in " + copy;
  }
}
