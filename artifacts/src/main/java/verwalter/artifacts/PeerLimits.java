package verwalter.artifacts;

import java.time.Duration;

/**
 * Limits of downloads from other machines.
 *
 * @param asked number of machines that one attempt asks
 * @param bytesPerSecond a machine that sends less, while it is waited for, is given up
 * @param window time over which that rate is measured
 * @param pause time for which a machine that has failed is not asked for the same archive
 * @param connect time to connect
 */
public record PeerLimits(
    int asked, long bytesPerSecond, Duration window, Duration pause, Duration connect) {
  /** Three machines, 64 KiB per second over 10 seconds, 10 minutes, 3 seconds to connect. */
  public static final PeerLimits DEFAULT =
      new PeerLimits(
          3, 64 << 10, Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofSeconds(3));

  /** Checks that the limits are positive. */
  public PeerLimits {
    if (asked < 1
        || bytesPerSecond < 1
        || window.toMillis() < 1
        || pause.isNegative()
        || connect.toMillis() < 1) {
      throw new IllegalArgumentException("limits of other machines must be positive");
    }
  }

  /** Bytes that must arrive in each window. */
  long leastBytes() {
    return Math.max(1, bytesPerSecond * window.toMillis() / 1000);
  }
}
