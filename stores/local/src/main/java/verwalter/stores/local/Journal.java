package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import verwalter.stores.engine.Sink;

/** The log file that is being written. Owned by the store's writer. */
final class Journal implements Closeable {
  private final JournalDisk disk;
  private final String store;
  private JournalDisk.Appender log;
  private long size;

  private Journal(JournalDisk disk, String store, JournalDisk.Appender log, long size) {
    this.disk = disk;
    this.store = store;
    this.log = log;
    this.size = size;
  }

  /**
   * Nothing was written, for example because the disk is full. The journal is unchanged and can be
   * used.
   */
  static final class NothingWritten extends IOException {
    private static final long serialVersionUID = 1;

    NothingWritten(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Creates a log that begins with {@code first}. It gets its name once its header is durable. */
  static Journal begin(JournalDisk disk, String store, long first, long version)
      throws IOException {
    var draft = draft(disk, store, first, version);
    draft.publish(first);
    return draft;
  }

  private static Journal draft(JournalDisk disk, String store, long first, long version)
      throws IOException {
    var sink = new Sink();
    new FileHeader(FileHeader.Type.LOG, store, first, version).write(sink);
    var log = disk.create(Inventory.log(first) + Inventory.UNFINISHED);
    try {
      log.write(sink.bytes());
      log.force();
    } catch (IOException failure) {
      log.close();
      throw failure;
    }
    return new Journal(disk, store, log, sink.size());
  }

  private void publish(long first) throws IOException {
    var name = Inventory.log(first);
    disk.rename(name + Inventory.UNFINISHED, name);
    disk.force();
  }

  /** Continues a log, and makes its present contents durable. */
  static Journal resume(JournalDisk disk, String store, String name, long size) throws IOException {
    var log = disk.append(name);
    log.force();
    disk.force(); // the log may have been renamed just before a crash
    return new Journal(disk, store, log, size);
  }

  /** The uid of the store, which is in all its files. */
  String store() {
    return store;
  }

  long size() {
    return size;
  }

  /**
   * Writes frames durably.
   *
   * @throws NothingWritten if the write failed and its partial bytes were removed
   * @throws IOException if it is unknown which bytes were written
   */
  void write(Sink sink) throws IOException {
    try {
      log.write(sink.bytes());
    } catch (IOException failure) {
      throw takenBack(failure);
    }
    log.force();
    size += sink.size();
  }

  private NothingWritten takenBack(IOException failure) throws IOException {
    try {
      log.takeBack(size);
    } catch (IOException second) {
      failure.addSuppressed(second);
      throw failure;
    }
    return new NothingWritten(failure);
  }

  /**
   * Begins a new log with the first entry {@code first} after {@code version}.
   *
   * @throws NothingWritten if the old log continues
   * @throws IOException if it is unknown which log continues
   */
  void rotate(long first, long version) throws IOException {
    Journal next;
    try {
      next = draft(disk, store, first, version);
    } catch (IOException failure) {
      throw new NothingWritten(failure);
    }
    next.publish(first);
    log.close();
    log = next.log;
    size = next.size;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
