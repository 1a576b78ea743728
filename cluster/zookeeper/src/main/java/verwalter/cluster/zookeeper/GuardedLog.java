package verwalter.cluster.zookeeper;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's files of an elector. Remembers the highest transaction that the elector has
 * acknowledged, reports failures to write, and removes old files behind each snapshot.
 *
 * <p>A server acknowledges transactions after {@link #commit} has returned, and the state that it
 * received from the leader after {@link #save} has.
 */
final class GuardedLog extends FileTxnSnapLog {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedLog.class);

  /** The number of snapshots to keep, of which one may be damaged. */
  private static final int SNAPSHOTS = 3;

  private final File directory;
  private final HighestZxid highest;
  private final Consumer<String> failed;
  private volatile long appended = -1;

  /**
   * Opens the files.
   *
   * @param failed receives the reason when a write fails; the server must not go on
   */
  GuardedLog(File directory, HighestZxid highest, Consumer<String> failed) throws IOException {
    super(directory, directory);
    this.directory = directory;
    this.highest = highest;
    this.failed = failed;
  }

  /** The last transaction, which may not be durable yet; negative if there is none. */
  long end() {
    return appended;
  }

  private interface Write<T> {
    T run() throws IOException;
  }

  private <T> T write(Write<T> write) throws IOException {
    try {
      return write.run();
    } catch (IOException failure) {
      failed.accept("cannot write to %s: %s".formatted(directory, failure.getMessage()));
      throw failure;
    }
  }

  @Override
  public long restore(DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener)
      throws IOException {
    long end = super.restore(tree, sessions, listener);
    if (end >= 0 && end < highest.get()) {
      throw new LostTransactions(end, highest.get());
    }
    appended = end;
    return end;
  }

  @Override
  public boolean append(Request request) throws IOException {
    boolean logged = write(() -> super.append(request));
    if (logged && request.getHdr() != null) {
      appended = request.getHdr().getZxid();
    }
    return logged;
  }

  @Override
  public void commit() throws IOException {
    write(
        () -> {
          super.commit();
          highest.raise(appended);
          return appended;
        });
  }

  @Override
  public File save(DataTree tree, ConcurrentHashMap<Long, Integer> sessions, boolean sync)
      throws IOException {
    return write(
        () -> {
          var saved = super.save(tree, sessions, true);
          long zxid = zxid(saved);
          appended = Math.max(appended, zxid);
          if (sync) { // the leader's state replaces what was here
            highest.set(zxid);
          } else {
            highest.raise(zxid);
          }
          removeOld();
          return saved;
        });
  }

  /** Removes the snapshots before the newest ones, and the logs that only those need. */
  private void removeOld() {
    var kept = findNValidSnapshots(SNAPSHOTS);
    var files = getSnapDir().listFiles();
    if (kept.size() < SNAPSHOTS || files == null) {
      return;
    }
    long oldest = zxid(kept.get(SNAPSHOTS - 1));
    var logs = List.of(getSnapshotLogs(oldest));
    for (var each : files) {
      boolean snapshot = each.getName().startsWith(FileSnap.SNAPSHOT_FILE_PREFIX + ".");
      boolean log = each.getName().startsWith(FileTxnLog.LOG_FILE_PREFIX + ".");
      if ((snapshot && zxid(each) < oldest) || (log && !logs.contains(each))) {
        if (!each.delete()) {
          LOG.warn("cannot remove {}", each);
        }
      }
    }
  }

  private static long zxid(File snapshot) {
    return Util.getZxidFromName(snapshot.getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
  }

  @Override
  public boolean truncateLog(long zxid) {
    try {
      // First, because a higher one would mean that the log has lost something.
      highest.set(Math.min(zxid, highest.get()));
      appended = Math.min(appended, zxid);
    } catch (IOException failure) {
      failed.accept("cannot write to %s: %s".formatted(directory, failure.getMessage()));
      return false;
    }
    return super.truncateLog(zxid);
  }

  /** Thrown if the log ends before the highest transaction that was acknowledged. */
  static final class LostTransactions extends IOException {
    private static final long serialVersionUID = 1;

    LostTransactions(long end, long acknowledged) {
      super(
          "the log ends with transaction 0x%x, but 0x%x was acknowledged"
              .formatted(end, acknowledged));
    }
  }
}
