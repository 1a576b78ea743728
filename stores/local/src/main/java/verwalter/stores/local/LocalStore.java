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
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
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
 * Objects in memory and in files: what was acknowledged survives a crash. This is the {@link
 * Engine} over a log in a directory.
 *
 * <p>A future completes on the writer's thread, not on the caller's. When the disk does not take a
 * write, being full for example, the write fails with {@link StoreException.Unavailable}, and the
 * next one is tried; after any other error of the disk every write fails so until the store is
 * opened again. {@link #problem} tells of both.
 *
 * <p>Opening it reads and checks every byte, but decodes objects only when they are first seen, and
 * meanwhile on the executor. A store that begins gets an epoch larger than that of every store
 * which began before it.
 */
public final class LocalStore implements ObjectStore, AutoCloseable {
  private final Engine engine;

  private LocalStore(Engine engine) {
    this.engine = engine;
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

  /** Loads what decodes objects, which takes about as long as reading the files does. */
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

  /** What it holds, and how much of it. Any thread may ask. */
  public StoreFigures figures() {
    return engine.figures();
  }

  /**
   * Why the last write failed, for people: the disk is full, or broke. Empty as long as writes
   * succeed. Any thread may ask.
   */
  public Optional<String> problem() {
    return engine.problem();
  }

  /** Writes what is waiting, closes every watch and lets the directory go. Reads go on. */
  @Override
  public void close() {
    engine.close();
  }
}
