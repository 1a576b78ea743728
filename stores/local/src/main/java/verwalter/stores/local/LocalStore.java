package verwalter.stores.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.stores.api.StoreException;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.EngineStore;
import verwalter.stores.engine.Snapshot;
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
public final class LocalStore extends EngineStore implements AutoCloseable {
  private LocalStore(Engine engine) {
    super(engine);
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
    } catch (OpenException explained) {
      throw explained;
    } catch (IOException failure) {
      throw new IOException(
          "the store in %s cannot be opened%s".formatted(directory, FileLog.reason(failure)),
          failure);
    }
  }

  /**
   * Opens the store on a disk of any kind; see {@link #open(Path, Options, Executor, InstantSource,
   * Supplier)}.
   */
  public static LocalStore open(
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

  /** A snapshot of all objects, also after {@link #close}. */
  public Snapshot snapshot() {
    return real.snapshot();
  }

  /**
   * Writes all waiting transactions, closes all watches and unlocks the directory. Reads remain
   * possible.
   */
  @Override
  public void close() {
    real.close();
  }
}
