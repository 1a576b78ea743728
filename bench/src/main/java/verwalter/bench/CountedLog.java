package verwalter.bench;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * A replicated log with one writer, which keeps no entries and counts them. An append takes {@link
 * #TIME}. Belongs to its loop.
 */
final class CountedLog implements ReplicatedLog {
  /** The time from an append to its receipt. */
  private static final Duration TIME = Duration.ofMillis(2);

  private static final long LARGEST = 2 << 20;

  private final TimedExecutor loop;
  private @Nullable Follower follower;
  private long entries;
  private long bytes;
  private boolean closed;

  /** Creates an empty log whose receipts arrive on the loop. */
  CountedLog(TimedExecutor loop) {
    this.loop = loop;
  }

  /** The number of all entries. */
  long entries() {
    return entries;
  }

  /** The size of all entries in bytes. */
  long bytes() {
    return bytes;
  }

  @Override
  public void follow(long from, Follower follower) {
    loop.execute(() -> this.follower = follower);
  }

  @Override
  public void append(long first, List<ByteBuffer> appended, Receipt receipt) {
    loop.after(
        TIME,
        () -> {
          if (closed || follower == null) {
            receipt.unknown("the log is closed");
          } else if (first != entries + 1) {
            receipt.taken();
          } else {
            entries += appended.size();
            appended.forEach(each -> bytes += each.remaining());
            follower.committed(first, appended, true);
            receipt.appended();
          }
        });
  }

  @Override
  public void trim(long last) {}

  @Override
  public long largestAppend() {
    return LARGEST;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "a log that keeps nothing";
  }
}
