package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import verwalter.stores.engine.Sink;

/** The log that is being written: it belongs to the store's writer. */
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

  /** The disk took nothing, for want of room perhaps; the journal is as it was and goes on. */
  static final class NothingWritten extends IOException {
    private static final long serialVersionUID = 1;

    NothingWritten(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** A log that begins with {@code first}, under its name only when its header lasts. */
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

  /** Goes on with a log; what it holds lasts from now on, even if a crash left that open. */
  static Journal resume(JournalDisk disk, String store, String name, long size) throws IOException {
    var log = disk.append(name);
    log.force();
    disk.force(); // the log may bear its name since just before the crash
    return new Journal(disk, store, log, size);
  }

  /** The uid of the store, which all its files bear. */
  String store() {
    return store;
  }

  long size() {
    return size;
  }

  /**
   * Writes frames; they last when this returns.
   *
   * @throws NothingWritten if the disk did not take them all and what it took is off again
   * @throws IOException if nobody knows what lasts
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
   * Goes on in a new log, whose first entry is {@code first}, on top of {@code version}.
   *
   * @throws NothingWritten if the old one goes on
   * @throws IOException if nobody knows which does
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
