package verwalter.stores.local;

import io.vertx.core.Future;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
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
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * Objects in memory and in a journal on disk: what was acknowledged survives a crash.
 *
 * <p>Writes from any number of threads wait in one queue. One task at a time on the executor, the
 * writer, takes as many as are there, decides them in order, each on top of the ones before, writes
 * and forces them all at once, makes them visible, and completes their futures. So a future
 * completes <em>on the writer's thread, not on the caller's</em>: whoever owns a loop goes back to
 * it before touching its state, and nobody blocks there. Watchers run on their own loops only.
 * Reads take no lock and go on whatever happens to the disk.
 *
 * <p>When the disk does not take a write, being full for example, what it took of it is cut off
 * again, the write fails with {@link StoreException.Unavailable}, and the next one is tried: once
 * there is room, writing goes on. Any other error of the disk is the last thing the journal hears
 * of it: from then on every write fails so until the store is opened again, since nothing is known
 * of what a failed force left behind, and a write that failed then may turn out to have lasted, as
 * any write may whose answer got lost. {@link #problem} tells of both.
 *
 * <p>Opening it reads and checks every byte, but decodes objects only when they are first seen, and
 * meanwhile on the executor.
 *
 * <p>When a log has grown to its length, the next one begins, and a snapshot of that moment is
 * written beside the writer, if the executor has a second thread for it.
 */
public final class LocalStore implements ObjectStore, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStore.class);

  private final Disk disk;
  private final Closeable directory;
  private final Options options;
  private final Executor executor;
  private final InstantSource clock;
  private final Supplier<String> uids;
  private final Journal journal;
  private final Versions versions;

  private final WriteQueue queue = new WriteQueue();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** Held by whoever writes to the journal: the writer, and at the end whoever closes the store. */
  private final ReentrantLock writing = new ReentrantLock();

  private final ReentrantLock snapshotting = new ReentrantLock();
  private final Sink sink = new Sink();

  /** Why no more writes are taken; null as long as they are. */
  private volatile @Nullable String ended;

  /** Why the last write failed, though the next may not; null if it did not fail. */
  private volatile @Nullable String trouble;

  private volatile boolean closed;
  private volatile long epoch;

  private LocalStore(
      Disk disk,
      Closeable directory,
      Options options,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids)
      throws IOException {
    this.disk = disk;
    this.directory = directory;
    this.options = options;
    this.executor = executor;
    this.clock = clock;
    this.uids = uids;
    var recovered = Recovery.run(disk, options.history(), uids);
    this.journal = recovered.journal();
    this.versions = new Versions(recovered.state(), recovered.history(), options.history());
  }

  /**
   * Opens the store in a directory, or begins one. Reads everything, so it may take a second.
   *
   * @param executor runs the writer and, beside it, snapshots and what is done after opening: at
   *     most three tasks at a time
   * @param clock gives the times of creation and deletion
   * @param uids gives a text never given before; called by one thread at a time
   * @throws OpenException if the directory is in use, damaged, or of another format
   * @throws IOException if the disk fails, saying where
   */
  public static LocalStore open(
      Path directory,
      Options options,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids)
      throws IOException {
    try {
      return open(FileDisk.at(directory), options, executor, clock, uids);
    } catch (OpenException told) {
      throw told;
    } catch (IOException failure) {
      throw new IOException(
          "the store in %s cannot be opened%s".formatted(directory, reason(failure)), failure);
    }
  }

  static LocalStore open(
      Disk disk, Options options, Executor executor, InstantSource clock, Supplier<String> uids)
      throws IOException {
    var lock = disk.lock();
    try {
      executor.execute(LocalStore::loadCodec);
      var store = new LocalStore(disk, lock, options, executor, clock, uids);
      executor.execute(store::decodeAll);
      return store;
    } catch (IOException | RuntimeException | Error failure) {
      lock.close();
      throw failure;
    }
  }

  /** Loads what decodes objects, which takes about as long as reading the files does. */
  private static void loadCodec() {
    var unused = Encoded.of(Resource.of(Node.KIND, "any", new Node.Spec(false)));
  }

  /** Decodes what was there at the beginning, so that nobody has to wait for that later. */
  private void decodeAll() {
    for (var kind : versions.state().kinds().values()) {
      kind.visitAfter("", (name, each) -> !closed && decode(each));
    }
  }

  private boolean decode(Stored object) {
    try {
      var unused = object.resource();
    } catch (UncheckedIOException unknown) {
      LOG.error("store={} reading {} will fail", disk, object.key(), unknown);
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
    return versions.state().revision();
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    writing.lock();
    try {
      epoch = Math.max(atLeast, epoch + 1);
      return Future.succeededFuture(epoch);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    var pending = new Pending(drafts(writes), fence);
    var why = closed ? "the store is closed" : ended;
    if (why == null && !queue.offer(pending)) {
      why = "%d transactions wait for the disk already".formatted(WriteQueue.MOST_WAITING);
    }
    if (why != null) {
      return Future.failedFuture(new StoreException.Unavailable(why));
    }
    schedule();
    return pending.future();
  }

  private static List<Draft> drafts(List<Write> writes) {
    var drafts = new ArrayList<Draft>(writes.size());
    for (var write : writes) {
      var kind = write.resource().type();
      boolean known = Kinds.named(kind.name()).filter(kind::equals).isPresent();
      drafts.add(
          known
              ? Draft.of(write)
              : Draft.refused(write, kind.name() + " is not a kind that could be read back"));
    }
    return drafts;
  }

  private void schedule() {
    if (!queue.isEmpty() && scheduled.compareAndSet(false, true)) {
      try {
        executor.execute(this::drain);
      } catch (RejectedExecutionException down) {
        end("the store has no thread to write on");
        drain();
      }
    }
  }

  private void drain() {
    try {
      while (!queue.isEmpty()) {
        batch().forEach(Pending::complete);
      }
    } finally {
      scheduled.set(false);
    }
    schedule(); // for what came between the last look and now
  }

  /** Carries out the transactions at the head of the queue and gives them, to be completed. */
  private List<Pending> batch() {
    writing.lock();
    try {
      var batch = queue.take();
      if (ended != null) {
        refuse(batch);
        return batch;
      }
      try {
        carryOut(batch);
      } catch (RuntimeException | Error bug) {
        LOG.error("store={} its writer failed", disk, bug);
        end("its writer failed: " + bug);
        refuse(batch);
      }
      return batch;
    } finally {
      writing.unlock();
    }
  }

  private void refuse(List<Pending> batch) {
    var why = String.valueOf(ended);
    batch.forEach(each -> each.fail(new StoreException.Unavailable(why)));
  }

  private void carryOut(List<Pending> batch) {
    var changes = decide(batch);
    if (changes.isEmpty()) {
      return;
    }
    try {
      journal.write(sink);
    } catch (Journal.NothingWritten failure) {
      var why = "writing to " + disk + " failed" + reason(failure);
      suffer(why + "; the next write will be tried");
      batch.forEach(each -> each.fail(new StoreException.Unavailable(why)));
      return;
    } catch (IOException failure) {
      end("writing to " + disk + " failed" + reason(failure));
      refuse(batch);
      return;
    } finally {
      sink.clear();
    }
    recover();
    versions.publish(changes);
    if (journal.size() >= options.logBytes()) {
      rotate();
    }
  }

  /** Decides each transaction on top of the ones before, and notes those that change something. */
  private List<Outcome> decide(List<Pending> batch) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var changes = new ArrayList<Outcome>(batch.size());
    var state = versions.state();
    for (var each : batch) {
      try {
        if (!each.fence().admits(epoch)) {
          throw new StoreException.Fenced(each.fence().epoch().orElseThrow(), epoch);
        }
        var outcome = Transaction.decide(state, each.drafts(), now, uids);
        if (outcome.changed()) {
          checkRoom(state, outcome.state());
          note(outcome, each, now);
          changes.add(outcome);
          state = outcome.state();
        }
        each.succeed(outcome.results());
      } catch (RuntimeException refusal) {
        each.fail(refusal);
      }
    }
    return changes;
  }

  private void checkRoom(State before, State after) {
    if (after.bytes() > options.objectBytes() && after.bytes() > before.bytes()) {
      throw new StoreException.Full(before.bytes(), options.objectBytes());
    }
  }

  private void note(Outcome outcome, Pending pending, Instant now) {
    int before = sink.size();
    try {
      Records.write(sink, outcome, versions.state().revision(), now);
      int size = sink.size() - before;
      if (size > Frames.LARGEST) {
        throw new StoreException.Invalid(
            pending.drafts().get(0).write().resource().key(),
            "its transaction has %d bytes, more than the %d one may have"
                .formatted(size, Frames.LARGEST));
      }
    } catch (RuntimeException refusal) {
      sink.takeBack(before);
      throw refusal;
    }
  }

  private void rotate() {
    var state = versions.state();
    try {
      journal.rotate(state.revision() + 1);
    } catch (Journal.NothingWritten failure) {
      LOG.warn("store={} no new log{}; the old one goes on", disk, reason(failure));
      return;
    } catch (IOException failure) {
      end("beginning a new log in " + disk + " failed" + reason(failure));
      return;
    }
    try {
      executor.execute(() -> snapshot(state));
    } catch (RejectedExecutionException down) {
      LOG.warn("store={} has no thread to write a snapshot on", disk);
    }
  }

  /** What a snapshot saves is only time: when it cannot be written, the logs are kept. */
  private void snapshot(State state) {
    if (!snapshotting.tryLock()) {
      return;
    }
    try {
      if (!closed) {
        Snapshots.write(disk, journal.store(), state, () -> closed);
      }
    } catch (CancellationException closing) {
      LOG.debug("store={} closed before its snapshot was finished", disk);
    } catch (IOException failure) {
      LOG.warn(
          "store={} revision={} no snapshot{}; the logs are kept until the next one",
          disk,
          state.revision(),
          reason(failure));
    } finally {
      snapshotting.unlock();
    }
  }

  private void end(String why) {
    LOG.error("store={} takes no more writes until it is opened again: {}", disk, why);
    ended = why + "; no more writes are taken until it is opened again";
  }

  /** Said once, until a write succeeds: whoever tries again and again does not fill the log. */
  private void suffer(String why) {
    if (trouble == null) {
      LOG.error("store={} {}", disk, why);
    }
    trouble = why;
  }

  private void recover() {
    if (trouble != null) {
      LOG.warn("store={} takes writes again", disk);
      trouble = null;
    }
  }

  private static String reason(IOException failure) {
    var message = String.valueOf(failure.getMessage());
    boolean full = message.toLowerCase(Locale.ROOT).contains("no space left");
    return full ? ": the disk is full; free some space on it" : ": " + message;
  }

  /**
   * Why the last write failed, for people: the disk is full, or broke. Empty as long as writes
   * succeed. Any thread may ask.
   */
  public Optional<String> problem() {
    return Optional.ofNullable(ended).or(() -> Optional.ofNullable(trouble));
  }

  /** Writes what is waiting, closes every watch and lets the directory go. Reads go on. */
  @Override
  public void close() {
    writing.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      versions.close();
      while (!queue.isEmpty()) {
        batch().forEach(Pending::complete);
      }
      if (ended == null) {
        ended = "the store is closed";
      }
      release();
    } catch (IOException failure) {
      LOG.warn("store={} closing it failed{}", disk, reason(failure));
    } finally {
      writing.unlock();
    }
  }

  /** Waits for a snapshot under way to be given up, then lets go of the files. */
  private void release() throws IOException {
    snapshotting.lock();
    try {
      journal.close();
    } finally {
      snapshotting.unlock();
      directory.close();
    }
  }
}
