package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/**
 * A copy of another log in the files of a directory, in the format of a {@link LocalStore}. Its
 * entries have the numbers of that log. It can end before that log, also in the middle of a {@link
 * #write} after a crash, but has no gaps.
 *
 * <p>If a method fails, nothing can be written until {@link #replace} succeeds. Thread-safe.
 */
public final class LogCopy implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LogCopy.class);

  private final JournalDisk disk;
  private final Closeable lock;
  private final long fileBytes;
  private final Supplier<String> uids;
  private final Sink sink = new Sink();
  private @Nullable Journal journal;
  private String store = "";
  private volatile boolean closed;

  /** The number of the last durable entry. */
  private volatile long last;

  private LogCopy(JournalDisk disk, Closeable lock, long fileBytes, Supplier<String> uids) {
    this.disk = disk;
    this.lock = lock;
    this.fileBytes = fileBytes;
    this.uids = uids;
  }

  /**
   * Opens and locks a directory, and creates it if it does not exist.
   *
   * @param fileBytes the length of a file at which the next one begins and a snapshot is written
   * @param uids supplies the uid of a new copy
   * @throws OpenException if the directory is in use
   */
  public static LogCopy open(Path directory, long fileBytes, Supplier<String> uids)
      throws IOException {
    return open(FileDisk.at(directory), fileBytes, uids);
  }

  /** Opens and locks a disk. */
  public static LogCopy open(JournalDisk disk, long fileBytes, Supplier<String> uids)
      throws IOException {
    return new LogCopy(disk, disk.lock(), fileBytes, uids);
  }

  /** The checksum of an entry. */
  public static int checksum(ByteBuffer entry) {
    return Frames.crc(entry);
  }

  /**
   * Reads everything. Called once, before anything else.
   *
   * @return the checksum of the last entry; empty if there is no entry after the snapshot
   * @throws OpenException if the files are damaged or of another format
   */
  public synchronized OptionalInt read(Log.Reader reader) throws IOException {
    finishReplacement();
    var recovered = Recovery.run(disk, reader, uids, 0);
    journal = recovered.journal();
    store = recovered.journal().store();
    last = recovered.index();
    return recovered.checksum();
  }

  /** The number of the last durable entry. */
  public long last() {
    return last;
  }

  /**
   * Writes and forces entries.
   *
   * @param first the number after the last one
   */
  public synchronized void write(long first, List<ByteBuffer> entries) throws IOException {
    if (first != last + 1) {
      throw new IllegalArgumentException("entry %d follows %d".formatted(first, last));
    }
    try {
      for (int i = 0; i < entries.size(); i++) {
        int begin = Framing.begin(sink);
        sink.number(first + i);
        sink.number(last);
        sink.raw(entries.get(i));
        Framing.end(sink, begin);
      }
      journal().write(sink, last + entries.size());
    } catch (IOException failure) {
      abandon();
      throw failure;
    } finally {
      sink.clear();
    }
    last += entries.size();
  }

  /**
   * Writes a snapshot if the present file is long. Then older files are deleted.
   *
   * @param latest the state after the last entry
   */
  public synchronized void keep(Snapshot latest) throws IOException {
    if (journal().size() < fileBytes || latest.index() != last) {
      return;
    }
    try {
      journal().rotate(last + 1, latest.version());
    } catch (Journal.NothingWritten failure) {
      LOG.warn("copy={} cannot begin a new file{}; the old one continues", disk, reason(failure));
      return;
    } catch (IOException failure) {
      abandon();
      throw failure;
    }
    try {
      Snapshots.write(disk, store, latest, () -> closed);
    } catch (CancellationException closing) {
      LOG.debug("copy={} closed before its snapshot was finished", disk);
    } catch (IOException failure) {
      LOG.warn("copy={} cannot write a snapshot{}", disk, reason(failure));
    }
  }

  /**
   * Replaces everything by a snapshot.
   *
   * @param snapshot not older than the last entry
   */
  public synchronized void replace(Snapshot snapshot) throws IOException {
    if (closed) {
      throw new IOException(disk + " is closed");
    }
    if (snapshot.index() < last) {
      throw new IllegalArgumentException(
          "a snapshot of entry %d does not replace entry %d".formatted(snapshot.index(), last));
    }
    abandon();
    try {
      Snapshots.publish(disk, store, snapshot, () -> closed);
      journal = onlySnapshot(snapshot.index());
      last = snapshot.index();
    } catch (CancellationException closing) {
      throw new IOException(disk + " is closed", closing);
    }
  }

  /** Finishes a replacement that a crash has interrupted. */
  private void finishReplacement() throws IOException {
    var files = Inventory.of(disk.list());
    if (!files.snapshots().isEmpty()
        && files.logs().ceilingKey(files.snapshots().lastKey() + 1) == null) {
      onlySnapshot(files.snapshots().lastKey()).close();
    }
  }

  /** Deletes everything but a snapshot, and begins a log behind it. */
  private Journal onlySnapshot(long index) throws IOException {
    var name = Inventory.snapshot(index);
    FileHeader header;
    try (var frames = new Frames(disk.read(name))) {
      header = FileHeader.read(FileHeader.Type.SNAPSHOT, name, frames);
    }
    if (disk.list().contains(DurableMarker.NAME)) {
      disk.delete(DurableMarker.NAME);
    }
    for (var each : Inventory.of(disk.list()).named()) {
      if (!each.equals(name)) {
        disk.delete(each);
      }
    }
    disk.force();
    return Journal.begin(disk, header.store(), index + 1, header.version());
  }

  private Journal journal() throws IOException {
    if (journal == null) {
      throw new IOException(
          closed ? disk + " is closed" : "an earlier write to " + disk + " failed");
    }
    return journal;
  }

  /** Closes the present file. */
  private void abandon() {
    var open = journal;
    journal = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException failure) {
      LOG.debug("copy={} closing a file failed{}", disk, reason(failure));
    }
  }

  /** A failure of the disk as the end of a message. */
  public static String reason(IOException failure) {
    return FileLog.reason(failure);
  }

  /** Cancels a snapshot in progress, closes the files and unlocks the directory. */
  @Override
  public void close() throws IOException {
    closed = true;
    synchronized (this) {
      abandon();
      lock.close();
    }
  }

  @Override
  public String toString() {
    return disk.toString();
  }
}
