package verwalter.cluster.zookeeper;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.Util;

/**
 * ZooKeeper's files of an elector. Remembers the highest transaction that the elector has
 * acknowledged, reports failures to write, and removes old files behind each snapshot.
 *
 * <p>A server acknowledges transactions after {@link #commit} has returned, and the state that it
 * received from the leader after {@link #save} has.
 */
final class GuardedLog extends FileTxnSnapLog {
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
          long zxid = Util.getZxidFromName(saved.getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
          appended = Math.max(appended, zxid);
          if (sync) { // the leader's state replaces what was here
            highest.set(zxid);
          } else {
            highest.raise(zxid);
          }
          PurgeTxnLog.purge(directory, directory, SNAPSHOTS);
          return saved;
        });
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
