package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import verwalter.stores.engine.Sink;

/** The log file that is being written, and the marker. Owned by the store's writer. */
final class Journal implements Closeable {
  private final JournalDisk disk;
  private final String store;
  private final DurableMarker marker;
  private Part part;

  /** The log file, its first entry and its size. */
  private record Part(JournalDisk.Appender log, long first, long size) {
    Part grown(long more) {
      return new Part(log, first, size + more);
    }
  }

  private Journal(JournalDisk disk, String store, Part part, DurableMarker marker) {
    this.disk = disk;
    this.store = store;
    this.part = part;
    this.marker = marker;
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
    var part = draft(disk, store, first, version);
    publish(disk, first);
    return new Journal(disk, store, part, DurableMarker.create(disk, store, first, first - 1));
  }

  private static Part draft(JournalDisk disk, String store, long first, long version)
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
    return new Part(log, first, sink.size());
  }

  private static void publish(JournalDisk disk, long first) throws IOException {
    var name = Inventory.log(first);
    disk.rename(name + Inventory.UNFINISHED, name);
    disk.force();
  }

  /**
   * Continues a log, and makes its present contents durable.
   *
   * @param first the number of its first entry
   * @param last the number of its last entry
   */
  static Journal resume(JournalDisk disk, String store, long first, long last, long size)
      throws IOException {
    var log = disk.append(Inventory.log(first));
    log.force();
    disk.force(); // the log may have been renamed just before a crash
    var marker = DurableMarker.open(disk, store, first, last);
    return new Journal(disk, store, new Part(log, first, size), marker);
  }

  /** The uid of the store, which is in all its files. */
  String store() {
    return store;
  }

  long size() {
    return part.size();
  }

  /**
   * Writes frames durably.
   *
   * @param last the number of the last entry in them
   * @throws NothingWritten if the write failed and its partial bytes were removed
   * @throws IOException if it is unknown which bytes were written
   */
  void write(Sink sink, long last) throws IOException {
    try {
      part.log().write(sink.bytes());
    } catch (IOException failure) {
      throw takenBack(failure);
    }
    part.log().force();
    part = part.grown(sink.size());
    marker.durable(part.first(), last);
  }

  private NothingWritten takenBack(IOException failure) throws IOException {
    try {
      part.log().takeBack(part.size());
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
    Part next;
    try {
      next = draft(disk, store, first, version);
    } catch (IOException failure) {
      throw new NothingWritten(failure);
    }
    publish(disk, first);
    part.log().close();
    part = next;
    marker.begun(first, first - 1);
  }

  @Override
  public void close() throws IOException {
    part.log().close();
    marker.close();
  }
}
