package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;

/** The log that is being written: it belongs to the store's writer. */
final class Journal implements Closeable {
  private final Disk disk;
  private final String store;
  private Disk.Appender log;
  private long size;

  private Journal(Disk disk, String store, Disk.Appender log, long size) {
    this.disk = disk;
    this.store = store;
    this.log = log;
    this.size = size;
  }

  /** A log that begins with {@code first}, under its name only when its header lasts. */
  static Journal begin(Disk disk, String store, long first) throws IOException {
    var sink = new Sink();
    new FileHeader(FileHeader.Type.LOG, store, first).write(sink);
    var name = Inventory.log(first);
    var log = disk.create(name + Inventory.UNFINISHED);
    log.write(sink.bytes());
    log.force();
    disk.rename(name + Inventory.UNFINISHED, name);
    disk.force();
    return new Journal(disk, store, log, sink.size());
  }

  /** Goes on with a log; what it holds lasts from now on, even if a crash left that open. */
  static Journal resume(Disk disk, String store, String name, long size) throws IOException {
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

  /** Writes frames; they last when this returns. */
  void write(Sink sink) throws IOException {
    log.write(sink.bytes());
    log.force();
    size += sink.size();
  }

  /** Goes on in a new log, whose first revision is {@code first}. */
  void rotate(long first) throws IOException {
    var next = begin(disk, store, first);
    log.close();
    log = next.log;
    size = next.size;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
