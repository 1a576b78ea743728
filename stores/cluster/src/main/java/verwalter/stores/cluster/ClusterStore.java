package verwalter.stores.cluster;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import verwalter.concurrent.Watch;
import verwalter.model.Resource;
import verwalter.stores.api.Fence;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.EngineStore;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.JournalDisk;
import verwalter.stores.local.LogCopy;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * The store of a cluster on one elector: the {@link Engine} over a log that all electors share, and
 * a copy of the log in a directory. Each elector can write. An acknowledged write is durable on a
 * majority of the log's members.
 *
 * <p>Reads are local and may be stale, in particular after opening. A write is decided on the local
 * state and appended only if no other entry came first; otherwise it is decided again on the new
 * state. So an accepted write is based on all earlier entries, while a refusal may be based on a
 * stale state. A store whose {@link #beginEpoch} has succeeded has applied all earlier entries.
 *
 * <p>Without a majority, writes wait for {@link ClusterOptions#patience}. Then they fail with
 * {@link StoreException.Unavailable}: it is unknown whether the writes that were sent will turn out
 * to be durable. Later writes fail at once until a majority answers.
 *
 * <p>If the log has lost entries that this node knows, or the copy belongs to another log, nothing
 * is written any more, and {@link #problem} says what to do. If the log no longer contains the
 * entries after the copy, a snapshot of another elector replaces the objects; watches then end with
 * {@link StoreException.TooOld}.
 *
 * <p>A future completes on a thread of the store, not on the caller's.
 */
public final class ClusterStore extends EngineStore implements AutoCloseable {
  private static final String NOT_LEADING = "this node follows the log and does not lead";

  private final ClusterLog log;
  private final LogTail tail;
  private final Listeners listeners;

  /** Commits elsewhere; empty if this process appends to the log. */
  private final Optional<Elsewhere> elsewhere;

  /** How the writes of a process that appends nothing are committed. */
  private record Elsewhere(LeaderCommits commits, AwaitedRevision applied) {}

  /** The listeners of changes besides those of the engine's problem. */
  private static final class Listeners implements Runnable {
    private final List<Runnable> all = new CopyOnWriteArrayList<>();

    @Override
    public void run() {
      all.forEach(Runnable::run);
    }
  }

  private ClusterStore(
      Engine engine,
      ClusterLog log,
      LogTail tail,
      Listeners listeners,
      Optional<Elsewhere> elsewhere) {
    super(engine);
    this.log = log;
    this.tail = tail;
    this.listeners = listeners;
    this.elsewhere = elsewhere;
    elsewhere.ifPresent(it -> tail.watch(it.applied::changed));
  }

  /**
   * Opens the store with the copy in a directory, or begins a copy. Reads all files, which may take
   * a second. New entries are read afterwards.
   *
   * @param directory the directory of the copy
   * @param logs opens the replicated log, which must call back on the loop of the environment.
   *     Called once, and again after a snapshot was fetched
   * @param peers the other electors
   * @throws verwalter.stores.local.OpenException if the directory is in use, damaged, or of another
   *     format
   * @throws IOException if the disk fails
   */
  public static ClusterStore open(
      Path directory,
      Supplier<ReplicatedLog> logs,
      SnapshotSource peers,
      StoreEnvironment environment)
      throws IOException {
    return open(copy(directory, environment), logs, Optional.empty(), peers, environment);
  }

  /** Opens the store with a copy on a disk of any kind; see the method for a directory. */
  public static ClusterStore open(
      JournalDisk disk,
      Supplier<ReplicatedLog> logs,
      SnapshotSource peers,
      StoreEnvironment environment)
      throws IOException {
    return open(copy(disk, environment), logs, Optional.empty(), peers, environment);
  }

  /**
   * Opens the store of a process that follows the log and appends nothing. A write is complete when
   * the leader has committed it and this store has applied it.
   *
   * @param logs opens the log for reading; see {@link #open}
   * @param commits lets the leader commit
   */
  public static ClusterStore following(
      Path directory,
      Supplier<ReplicatedLog> logs,
      LeaderCommits commits,
      SnapshotSource peers,
      StoreEnvironment environment)
      throws IOException {
    return open(copy(directory, environment), logs, Optional.of(commits), peers, environment);
  }

  /** Like {@link #following} in a directory, with a copy on a disk of any kind. */
  public static ClusterStore following(
      JournalDisk disk,
      Supplier<ReplicatedLog> logs,
      LeaderCommits commits,
      SnapshotSource peers,
      StoreEnvironment environment)
      throws IOException {
    return open(copy(disk, environment), logs, Optional.of(commits), peers, environment);
  }

  private static LogCopy copy(Path directory, StoreEnvironment environment) throws IOException {
    return LogCopy.open(directory, environment.options().store().logBytes(), environment.uids());
  }

  private static LogCopy copy(JournalDisk disk, StoreEnvironment environment) throws IOException {
    return LogCopy.open(disk, environment.options().store().logBytes(), environment.uids());
  }

  private static ClusterStore open(
      LogCopy copy,
      Supplier<ReplicatedLog> logs,
      Optional<LeaderCommits> commits,
      SnapshotSource peers,
      StoreEnvironment environment)
      throws IOException {
    var listeners = new Listeners();
    var tail = new LogTail(commits.isPresent() ? 0 : LogTail.MOST_BYTES);
    var options = environment.options();
    var executor = environment.executor();
    try {
      var log = new ClusterLog(logs, copy, peers, tail, environment, listeners);
      var limits = new EngineOptions(options.store().history(), options.store().bytes());
      var engine = Engine.open(log, limits, executor, environment.clock(), environment.uids());
      executor.execute(engine::decodeAll);
      var elsewhere =
          commits.map(
              it ->
                  new Elsewhere(
                      it, new AwaitedRevision(engine::revision, environment.loop(), options)));
      return new ClusterStore(engine, log, tail, listeners, elsewhere);
    } catch (IOException | RuntimeException | Error failure) {
      copy.close();
      throw failure;
    }
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    if (elsewhere.isEmpty()) {
      return super.commit(writes, fence);
    }
    if (fence.epoch().isPresent()) {
      return Future.failedFuture(new StoreException.Unavailable(NOT_LEADING));
    }
    var its = elsewhere.get();
    return its.commits
        .commit(writes)
        .compose(
            done ->
                done.refusal().isEmpty()
                    ? its.applied.reached(done.revision()).map(applied -> done.results())
                    // The writer sees why when it reads again.
                    : its.applied
                        .reached(done.revision())
                        .transform(applied -> Future.failedFuture(done.refusal().get())));
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return elsewhere.isEmpty()
        ? super.beginEpoch(atLeast)
        : Future.failedFuture(new StoreException.Unavailable(NOT_LEADING));
  }

  /** The newest entries, for processes that follow the log through this one. Thread-safe. */
  public LogTail tail() {
    return tail;
  }

  /** All objects, for another elector. Thread-safe. */
  public Snapshot snapshot() {
    return real.snapshot();
  }

  /** The number of the last entry that is durable in the copy of this elector. Thread-safe. */
  public long durable() {
    return log.durable();
  }

  /**
   * Allows the log to remove entries that a majority of the electors has in its copies. To be
   * called now and then by the leader, which knows what each elector has; other electors need not
   * call it.
   *
   * @param durable the last result of {@link #durable} by the name of the elector
   * @param electors the names of all electors; at least one
   */
  public void trim(Map<String, Long> durable, Set<String> electors) {
    log.trim(LogRetention.onMajority(durable, electors));
  }

  @Override
  public Optional<String> problem() {
    return real.problem().or(log::problem);
  }

  /**
   * Calls the listener after each change of {@link #problem}, and more often, on a thread of the
   * store. The listener must not block. Thread-safe.
   */
  @Override
  public Watch onProblem(Runnable listener) {
    var watch = real.onProblem(listener);
    listeners.all.add(listener);
    return () -> {
      watch.close();
      listeners.all.remove(listener);
    };
  }

  /**
   * Closes all watches and the log, and unlocks the directory. Writes that wait fail. Reads remain
   * possible.
   */
  @Override
  public void close() {
    real.close();
  }
}
