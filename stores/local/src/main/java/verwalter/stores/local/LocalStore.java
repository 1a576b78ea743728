package verwalter.stores.local;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
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
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.UnknownObject;

/**
 * A store that keeps objects in memory and in files: the {@link Engine} with a log in a directory.
 * Acknowledged writes survive a crash.
 *
 * <p>A future completes on the writer's thread, not on the caller's. If the disk is full, a write
 * fails with {@link StoreException.Unavailable}, and later writes may succeed. After any other disk
 * error all writes fail until the store is opened again. {@link #problem} reports both cases.
 *
 * <p>Opening reads and checks all files. Objects are decoded at their first use, and in the
 * background on the executor. A new store begins with a larger epoch than every earlier store.
 */
public final class LocalStore implements DurableStore, AutoCloseable {
  private final Engine engine;

  private LocalStore(Engine engine) {
    this.engine = engine;
  }

  /**
   * Opens the store in a directory, or creates one. Reads all files, which may take a second.
   *
   * @param executor runs the writer, snapshots and the decoding after opening: at most three tasks
   *     at a time
   * @param clock gives the times of creation and deletion
   * @param uids supplies unique strings; called by one thread at a time
   * @throws OpenException if the directory is in use, damaged, or of another format
   * @throws IOException if the disk fails
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
          "the store in %s cannot be opened%s".formatted(directory, FileLog.reason(failure)),
          failure);
    }
  }

  static LocalStore open(
      JournalDisk disk,
      Options options,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids)
      throws IOException {
    var lock = disk.lock();
    try {
      executor.execute(LocalStore::loadCodec);
      var log = new FileLog(disk, lock, options.logBytes(), executor, clock, uids);
      var limits = new EngineOptions(options.history(), options.bytes());
      var engine = Engine.open(log, limits, executor, clock, uids);
      executor.execute(engine::decodeAll);
      return new LocalStore(engine);
    } catch (UnknownObject unknown) {
      lock.close();
      throw new StoreFormat(unknown.getMessage() + "; use the version that wrote it");
    } catch (IOException | RuntimeException | Error failure) {
      lock.close();
      throw failure;
    }
  }

  /** Loads the classes that decode objects, which takes about as long as reading the files. */
  private static void loadCodec() {
    var unused = Codec.json(Resource.of(Node.KIND, "any", new Node.Spec(false)));
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return engine.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return engine.list(kind, query);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return engine.watch(kind, selection, after, loop, watcher);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return engine.commit(writes, fence);
  }

  @Override
  public long revision() {
    return engine.revision();
  }

  @Override
  public long epoch() {
    return engine.epoch();
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return engine.beginEpoch(atLeast);
  }

  @Override
  public Set<Capability> capabilities() {
    return engine.capabilities();
  }

  @Override
  public StoreFigures figures() {
    return engine.figures();
  }

  @Override
  public Optional<String> problem() {
    return engine.problem();
  }

  @Override
  public Watch onProblem(Runnable listener) {
    return engine.onProblem(listener);
  }

  /**
   * Writes all waiting transactions, closes all watches and unlocks the directory. Reads remain
   * possible.
   */
  @Override
  public void close() {
    engine.close();
  }
}
