package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/**
 * A log in the files of a directory. An append writes and forces all entries before it returns.
 *
 * <p>If a write fails, for example because the disk is full, its partial bytes are removed and
 * later writes may succeed. After any other disk error, the result of a failed force is unknown.
 *
 * <p>When a file reaches its maximum length, a new one begins, and a snapshot is written in the
 * background if the executor has a second thread.
 */
final class FileLog implements Log {
  private static final Logger LOG = LoggerFactory.getLogger(FileLog.class);

  /** Space for the parts of an entry that {@link Entry#size} does not count. */
  private static final long MARGIN = 1 << 20;

  private final JournalDisk disk;
  private final Closeable directory;
  private final long logBytes;
  private final Executor executor;
  private final InstantSource clock;
  private final Supplier<String> uids;
  private final Sink sink = new Sink();
  private final ReentrantLock snapshotting = new ReentrantLock();

  private @Nullable Journal journal;
  private @Nullable Follower follower;
  private long last;
  private volatile boolean closed;

  /**
   * @param directory closed together with the log
   * @param logBytes the length at which a new file begins
   */
  FileLog(
      JournalDisk disk,
      Closeable directory,
      long logBytes,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids) {
    this.disk = disk;
    this.directory = directory;
    this.logBytes = logBytes;
    this.executor = executor;
    this.clock = clock;
    this.uids = uids;
  }

  @Override
  public void read(Reader reader) throws IOException {
    var recovered = Recovery.run(disk, reader, uids, Recovery.firstVersion(clock));
    journal = recovered.journal();
    last = recovered.index();
  }

  @Override
  public void follow(Follower next) {
    follower = next;
  }

  @Override
  public void append(long first, List<Entry> entries, Receipt receipt) {
    try {
      for (int i = 0; i < entries.size(); i++) {
        int begin = Framing.begin(sink);
        sink.number(first + i);
        sink.number(last);
        entries.get(i).write(sink);
        Framing.end(sink, begin);
      }
      journal().write(sink, last + entries.size());
    } catch (Journal.NothingWritten failure) {
      receipt.nothingWritten("writing to " + disk + " failed" + reason(failure));
      return;
    } catch (IOException failure) {
      receipt.unknown("writing to " + disk + " failed" + reason(failure));
      return;
    } finally {
      sink.clear();
    }
    last += entries.size();
    if (follower != null) {
      follower.committed(first, entries, true);
    }
    receipt.committed();
  }

  private Journal journal() {
    if (journal == null) {
      throw new IllegalStateException("the log was not read");
    }
    return journal;
  }

  @Override
  public void applied(Snapshot latest) throws IOException {
    if (journal().size() < logBytes) {
      return;
    }
    try {
      journal().rotate(latest.index() + 1, latest.version());
    } catch (Journal.NothingWritten failure) {
      LOG.warn("store={} cannot begin a new log{}; the old one continues", disk, reason(failure));
      return;
    } catch (IOException failure) {
      throw new IOException(
          "beginning a new log in " + disk + " failed" + reason(failure), failure);
    }
    try {
      executor.execute(() -> keep(latest));
    } catch (RejectedExecutionException down) {
      LOG.warn("store={} has no thread to write a snapshot", disk);
    }
  }

  /** Writes a snapshot. If that fails, the logs are kept, which only makes opening slower. */
  private void keep(Snapshot snapshot) {
    if (!snapshotting.tryLock()) {
      return;
    }
    try {
      if (!closed) {
        Snapshots.write(disk, journal().store(), snapshot, () -> closed);
      }
    } catch (CancellationException closing) {
      LOG.debug("store={} closed before its snapshot was finished", disk);
    } catch (IOException failure) {
      LOG.warn(
          "store={} index={} cannot write a snapshot{}; the logs are kept until the next one",
          disk,
          snapshot.index(),
          reason(failure));
    } finally {
      snapshotting.unlock();
    }
  }

  @Override
  public long largestEntry() {
    return Frames.LARGEST - MARGIN;
  }

  /** Cancels a snapshot in progress, then closes the files. */
  @Override
  public void close() throws IOException {
    closed = true;
    snapshotting.lock();
    try {
      if (journal != null) {
        journal.close();
      }
    } finally {
      snapshotting.unlock();
      directory.close();
    }
  }

  static String reason(IOException failure) {
    var message = String.valueOf(failure.getMessage());
    boolean full = message.toLowerCase(Locale.ROOT).contains("no space left");
    return full ? ": the disk is full; free some space on it" : ": " + message;
  }

  @Override
  public String toString() {
    return disk.toString();
  }
}
