package verwalter.artifacts;

import java.util.concurrent.TimeUnit;

/**
 * A number of bytes per second that all downloads, or all uploads, share. Each takes bytes after it
 * has received or sent them, and waits until they are paid for. Thread-safe.
 */
public final class Bandwidth {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** So much may come at once after a pause. */
  private static final long BURST = SECOND / 10;

  private final long bytesPerSecond;
  private final Ticks ticks;

  /** When all bytes taken so far are paid for; guarded by this. */
  private long paidAt;

  private boolean hasBegun;

  /**
   * @param bytesPerSecond limit of all together; 0 for none
   */
  public Bandwidth(long bytesPerSecond, Ticks ticks) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("a bandwidth is not negative");
    }
    this.bytesPerSecond = bytesPerSecond;
    this.ticks = ticks;
  }

  /** Takes bytes; returns the nanoseconds to wait until they are paid for. */
  synchronized long take(long bytes, long now) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    if (!hasBegun || paidAt - (now - BURST) < 0) {
      paidAt = now - BURST;
      hasBegun = true;
    }
    paidAt += (long) ((double) bytes / bytesPerSecond * SECOND);
    return Math.max(0, paidAt - now);
  }

  /** Takes bytes; returns the nanoseconds to wait until they are paid for. */
  public long take(long bytes) {
    return take(bytes, ticks.nanos());
  }

  /** Takes bytes and waits. */
  void spend(long bytes, String action, Object place, Cancellation cancellation)
      throws ArtifactException, InterruptedException {
    long begin = ticks.nanos();
    long wait = take(bytes, begin);
    for (long left = wait; left > 0; left = wait - (ticks.nanos() - begin)) {
      cancellation.check(action, place);
      ticks.sleep(Math.min(left, WebBody.LOOK_NANOS));
    }
  }
}
