package verwalter.stores.engine;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.Version;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.DurableStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.StoreFigures;
import verwalter.stores.api.Write;

/**
 * A store that keeps objects in memory and writes transactions to a {@link Log}. Acknowledged
 * writes are in the log.
 *
 * <p>Writes of all threads wait in one queue. A single task on the executor, the writer, takes a
 * batch of them, evaluates them in order, each on the state after the previous one, and appends
 * those that change something together. When the log reports that they are durable, they are
 * applied and made visible, and their futures complete. A future completes <em>on the thread of the
 * writer or of the log, not of the caller</em>: a caller must return to its own loop before it uses
 * the loop's state, and must not block. Watchers run on their own loops only. Reads take no lock
 * and do not depend on the log.
 *
 * <p>A refused write and a write without a difference cause no entry.
 *
 * <p>If entries of another process came before a batch, its transactions are evaluated again on the
 * new state and appended again; their callers do not notice. If a log of several processes does not
 * answer, the writes that wait fail with {@link StoreException.Unavailable}, as do later ones until
 * the log answers.
 *
 * <p>If the log has written nothing of a batch, its writes fail with {@link
 * StoreException.Unavailable}, and later writes are accepted. If it is unknown what the log has
 * written, all writes fail until the log is read again; a failed write may turn out to be durable,
 * like any write whose response was lost. {@link #problem} reports both cases.
 */
public final class Engine implements DurableStore, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final Log log;
  private final EngineOptions options;
  private final Executor executor;
  private final InstantSource clock;
  private final Supplier<String> uids;
  private final Versions versions;

  private final WriteQueue queue = new WriteQueue();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** Held while appending: by the writer, and by the thread that closes the store. */
  private final ReentrantLock writing = new ReentrantLock();

  /** The batch that is being appended; null if there is none. */
  private volatile @Nullable Batch underWay;

  /** Transactions that were taken from the queue and are evaluated before those in the queue. */
  private volatile List<Pending> again = List.of();

  /** Why the log does not answer at present; null while it does. */
  private volatile @Nullable String stalled;

  /** Why writes are not accepted any more; null while they are. */
  private volatile @Nullable String ended;

  /** Why the last write failed, if later writes may succeed; null if it did not fail. */
  private volatile @Nullable String trouble;

  /** Called after each change of {@link #problem}. */
  private final List<Runnable> problemListeners = new CopyOnWriteArrayList<>();

  private volatile boolean closed;

  private Engine(
      Log log,
      LogReplay replay,
      EngineOptions options,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids) {
    this.log = log;
    this.options = options;
    this.executor = executor;
    this.clock = clock;
    this.uids = uids;
    this.versions = new Versions(replay.state(), replay.history(), options.history());
  }

  /**
   * Opens the store of a log. Reads the whole log, which may take a second.
   *
   * @param executor runs the writer and the decoding after opening: at most two tasks at a time
   * @param clock gives the times of creation and deletion
   * @param uids supplies unique strings; called by one thread at a time
   * @throws IOException if the log cannot be read
   */
  public static Engine open(
      Log log, EngineOptions options, Executor executor, InstantSource clock, Supplier<String> uids)
      throws IOException {
    var replay = new LogReplay(options.history());
    log.read(replay);
    var engine = new Engine(log, replay, options, executor, clock, uids);
    log.follow(engine.new Following());
    return engine;
  }

  /** Decodes the objects that were read at the start, so that later reads need not. */
  public void decodeAll() {
    for (var kind : versions.state().kinds().values()) {
      kind.visitAfter("", (name, each) -> !closed && decode(each));
    }
  }

  private boolean decode(Stored object) {
    try {
      var unused = object.resource();
    } catch (UncheckedIOException unknown) {
      LOG.error("store={} reading {} will fail", log, object.key(), unknown);
    }
    return true;
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return versions.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return versions.list(kind, query);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return versions.watch(kind, selection, after, loop, watcher);
  }

  @Override
  public long revision() {
    return versions.state().version();
  }

  @Override
  public long epoch() {
    return Version.epoch(revision());
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }

  @Override
  public StoreFigures figures() {
    var state = versions.state();
    long history = versions.historyBytes();
    return new StoreFigures(
        state.size(),
        state.bytes() + history,
        options.bytes() + options.history().bytes(),
        history,
        state.version(),
        Version.epoch(state.version()),
        versions.visited());
  }

  /** A snapshot of all objects. */
  public Snapshot snapshot() {
    return new Snapshot(versions.state());
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return submitted(Pending.transaction(WriteEncoder.encode(writes), fence.epoch()))
        .map(done -> done.results().stream().<Resource<?, ?>>map(Stored::resource).toList());
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return submitted(Pending.epoch(atLeast)).map(done -> Version.epoch(done.state().version()));
  }

  private Future<Pending.Done> submitted(Pending pending) {
    var why = closed ? "the store is closed" : ended;
    why = why == null && stalled != null ? why() : why;
    if (why == null && !queue.offer(pending)) {
      why = "%d transactions are waiting for the log".formatted(WriteQueue.MOST_WAITING);
    }
    if (why != null) {
      return Future.failedFuture(new StoreException.Unavailable(why));
    }
    if (stalled != null) {
      refuseWaiting(why()); // it may have been added after the others were refused
    }
    schedule();
    return pending.future();
  }

  /** Why nothing can be written at present. */
  private String why() {
    var why = stalled;
    return (why == null ? "the log did not answer" : why) + "; nothing was written";
  }

  /** Refuses all transactions that wait for the present append. */
  private void refuseWaiting(String why) {
    var waiting = new ArrayList<>(again);
    again = List.of();
    for (var more = queue.take(); !more.isEmpty(); more = queue.take()) {
      waiting.addAll(more);
    }
    var refusal = new StoreException.Unavailable(why);
    waiting.forEach(each -> each.fail(refusal));
    waiting.forEach(Pending::complete);
  }

  private boolean isIdle() {
    return queue.isEmpty() && again.isEmpty();
  }

  private void schedule() {
    if (!isIdle() && scheduled.compareAndSet(false, true)) {
      wakeWriter();
    }
  }

  /** Processes batches until an append does not complete at once or the queue is empty. */
  private void drain() {
    boolean handedOver = false;
    try {
      while (!handedOver && !isIdle()) {
        handedOver = !turn();
      }
    } finally {
      if (!handedOver) {
        scheduled.set(false);
        schedule(); // for writes that were added meanwhile
      }
    }
  }

  /** Schedules the writer. */
  private void wakeWriter() {
    try {
      executor.execute(this::drain);
    } catch (RejectedExecutionException down) {
      end("the store has no thread for its writer");
      drain();
    }
  }

  /** Processes one batch. Returns false if its append is still in progress. */
  private boolean turn() {
    Batch batch;
    writing.lock();
    try {
      var first = again;
      again = List.of();
      batch = new Batch(first.isEmpty() ? queue.take() : first);
      begin(batch);
    } finally {
      writing.unlock();
    }
    if (!batch.returned.compareAndSet(false, true)) {
      batch.complete();
      return true;
    }
    return false;
  }

  private void begin(Batch batch) {
    var why = ended;
    if (why != null) {
      batch.refuse(why);
      return;
    }
    try {
      decide(batch);
      if (batch.entries.isEmpty()) {
        batch.settled();
      } else {
        underWay = batch;
        log.append(batch.base + 1, List.copyOf(batch.entries), batch);
      }
    } catch (RuntimeException | Error bug) {
      LOG.error("store={} its writer failed", log, bug);
      end("its writer failed: " + bug);
      batch.refuse(String.valueOf(ended));
    }
  }

  /** Transactions that are appended together, with their results. */
  private final class Batch implements Log.Receipt {
    private List<Pending> all;

    /** The transactions that change something and become entries. */
    private final List<Pending> changing = new ArrayList<>();

    private final List<Entry> entries = new ArrayList<>();

    /** The outcome of each entry if no entry of another process comes in between. */
    private final List<Outcome> expected = new ArrayList<>();

    /** The number of the preceding entry if no entry of another process comes in between. */
    private long base;

    /**
     * Set by the writer after starting the append or by the log after finishing it, depending on
     * which comes first.
     */
    private final AtomicBoolean returned = new AtomicBoolean();

    /** Whether the futures were completed before the append ended. */
    private boolean answered;

    Batch(List<Pending> all) {
      this.all = all;
    }

    /** Leaves the transactions from {@code index} on to the next batch. */
    void leave(int index) {
      again = List.copyOf(all.subList(index, all.size()));
      all = List.copyOf(all.subList(0, index));
    }

    @Override
    public void committed() {
      recovered();
      applied();
      settled();
    }

    @Override
    public void overtaken() {
      if (answered) {
        recovered();
      } else {
        var rest = new ArrayList<>(all);
        rest.addAll(again);
        again = rest;
        all = List.of();
      }
      settled();
    }

    @Override
    public void unanswered(String why) {
      answered = true;
      stalled = why;
      failed(why);
      var unknown = why + "; it is unknown whether this was written";
      all.forEach(each -> each.fail(new StoreException.Unavailable(unknown)));
      all.forEach(Pending::complete);
      refuseWaiting(why());
    }

    @Override
    public void nothingWritten(String why) {
      failed(why + "; later writes may succeed");
      all.forEach(each -> each.fail(new StoreException.Unavailable(why)));
      settled();
    }

    @Override
    public void unknown(String why) {
      if (!closed) {
        end(why);
      }
      refuse(String.valueOf(ended));
    }

    void refuse(String why) {
      all.forEach(each -> each.fail(new StoreException.Unavailable(why)));
      settled();
    }

    /** Called when the append has finished. */
    void settled() {
      underWay = null;
      stalled = null;
      if (!returned.compareAndSet(false, true)) {
        complete();
        wakeWriter();
      }
    }

    void complete() {
      if (!answered) {
        all.forEach(Pending::complete);
      }
    }
  }

  private void recovered() {
    if (trouble != null) {
      LOG.warn("store={} accepts writes again", log);
      trouble = null;
      problemListeners.forEach(Runnable::run);
    }
  }

  private void applied() {
    try {
      log.applied(new Snapshot(versions.state()));
    } catch (IOException failure) {
      end(String.valueOf(failure.getMessage()));
    }
  }

  /**
   * Evaluates each transaction on the state after the previous one, and keeps those that change
   * something.
   */
  private void decide(Batch batch) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var state = versions.state();
    batch.base = state.index();
    long bytes = 0;
    for (int i = 0; i < batch.all.size(); i++) {
      var each = batch.all.get(i);
      var entry = entry(state, each, now);
      var outcome = Transaction.apply(state, entry);
      if (outcome.refusal() == null && outcome.state().version() != state.version()) {
        var refusal = refusal(state, outcome.state(), entry);
        if (refusal == null && bytes > 0 && bytes + entry.size() > log.largestAppend()) {
          batch.leave(i);
          return;
        }
        if (refusal == null) {
          bytes += entry.size();
          batch.changing.add(each);
          batch.entries.add(entry);
          batch.expected.add(outcome);
          state = outcome.state();
        } else {
          outcome = Outcome.refused(state, refusal);
        }
      }
      each.become(outcome);
    }
  }

  private Entry entry(State state, Pending pending, Instant now) {
    if (pending.epoch().isPresent()) {
      return Entry.epoch(pending.epoch().getAsLong(), now);
    }
    var changes = new ArrayList<Entry.Change>(pending.changes().size());
    for (var each : pending.changes()) {
      changes.add(completed(state, each));
    }
    return Entry.transaction(pending.fence(), now, changes, missing(state, changes));
  }

  /** The values that the writes refer to and that the state does not contain. */
  static Collection<StoredValue> missing(State state, List<Entry.Change> changes) {
    var missing = new LinkedHashMap<String, StoredValue>();
    for (var each : changes) {
      if (each instanceof Entry.Change.Put put) {
        addMissing(state, put.spec().values(), missing);
      }
    }
    return missing.values();
  }

  private static void addMissing(
      State state, Collection<StoredValue> values, Map<String, StoredValue> missing) {
    for (var each : values) {
      if (state.values().find(each.hash()) == null && !missing.containsKey(each.hash())) {
        addMissing(state, each.children(), missing);
        missing.put(each.hash(), each);
      }
    }
  }

  /** Assigns a uid to a new object, and keeps the previous bytes of content with an equal value. */
  private Entry.Change completed(State state, Entry.Change change) {
    if (change instanceof Entry.Change.Put put) {
      if (put.version() == 0) {
        return put.as(uids.get());
      }
      var current = state.find(put.key());
      return current != null && meansTheSame(current.spec(), put.spec())
          ? put.with(current.spec())
          : put;
    }
    if (change instanceof Entry.Change.Status status) {
      var current = state.find(status.key());
      var before = current == null ? null : current.status();
      return before != null
              && status.status().filter(next -> meansTheSame(before, next)).isPresent()
          ? status.with(before)
          : status;
    }
    return change;
  }

  private static boolean meansTheSame(Content before, Content next) {
    return before.sameAs(next) || before.value().equals(next.value());
  }

  private @Nullable StoreException refusal(State before, State after, Entry entry) {
    if (after.bytes() > options.bytes() && after.bytes() > before.bytes()) {
      return new StoreException.Full(before.bytes(), options.bytes());
    }
    if (entry.size() > log.largestEntry()) {
      return new StoreException.Invalid(
          entry.changes().get(0).key(),
          "its transaction has %d bytes, more than the limit of %d"
              .formatted(entry.size(), log.largestEntry()));
    }
    return null;
  }

  /** Receives the entries of the log, on its thread. */
  private final class Following implements Log.Follower {
    @Override
    public void committed(long first, List<Entry> entries, boolean ours) {
      Engine.this.committed(first, entries, ours);
      if (!ours) {
        applied();
      }
    }

    @Override
    public void replaced(Log.Contents newer) throws IOException {
      var replay = new LogReplay(options.history());
      newer.read(replay);
      var before = versions.state();
      if (replay.index() <= before.index()) {
        throw new IllegalArgumentException(
            "a state after entry %d does not replace one after entry %d"
                .formatted(replay.index(), before.index()));
      }
      versions.replace(replay.state(), replay.history());
      applied();
    }

    @Override
    public void ended(String why) {
      end(why);
    }
  }

  /** Applies durable entries and publishes their effects. */
  private void committed(long first, List<Entry> entries, boolean ours) {
    var state = versions.state();
    if (first != state.index() + 1) {
      throw new IllegalStateException("entry %d follows %d".formatted(first, state.index()));
    }
    var batch = ours ? underWay : null;
    var expected = batch != null && batch.base == state.index() ? batch.expected : null;
    var outcomes = new ArrayList<Outcome>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      var outcome = expected != null ? expected.get(i) : Transaction.apply(state, entries.get(i));
      if (batch != null) {
        batch.changing.get(i).become(outcome);
      }
      outcome.effects().forEach(Engine::settle);
      outcomes.add(outcome);
      state = outcome.state();
    }
    versions.publish(outcomes);
  }

  private static void settle(Effect effect) {
    if (effect.after() != null) {
      effect.after().settle();
    }
  }

  private void end(String why) {
    if (ended != null) {
      return;
    }
    LOG.error("store={} does not accept writes until it is opened again: {}", log, why);
    ended = why + "; writes are not accepted until it is opened again";
    problemListeners.forEach(Runnable::run);
  }

  /**
   * Records a failure. Only the first of consecutive failures is logged, so that retries do not
   * flood the log.
   */
  private void failed(String why) {
    if (trouble == null) {
      LOG.error("store={} {}", log, why);
    }
    if (!why.equals(trouble)) {
      trouble = why;
      problemListeners.forEach(Runnable::run);
    }
  }

  @Override
  public Optional<String> problem() {
    return Optional.ofNullable(ended).or(() -> Optional.ofNullable(trouble));
  }

  @Override
  public Watch onProblem(Runnable listener) {
    problemListeners.add(listener);
    return () -> problemListeners.remove(listener);
  }

  /**
   * Writes all waiting transactions, closes all watches and closes the log. Reads remain possible.
   */
  @Override
  public void close() {
    writing.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      versions.close();
      while (!isIdle() && underWay == null && turn()) {
        // keeps waiting
      }
      if (ended == null) {
        ended = "the store is closed";
      }
      log.close();
      refuseWaiting(String.valueOf(ended));
    } catch (IOException failure) {
      LOG.warn("store={} closing it failed: {}", log, failure.getMessage());
    } finally {
      writing.unlock();
    }
  }
}
