package verwalter.artifacts;

import java.time.Duration;

/**
 * Limits of a download.
 *
 * @param bytes of an archive
 * @param stall time without any byte after which a download fails
 * @param connect time to connect to a server
 * @param redirects number that one download follows
 * @param reserve bytes of the disk that stay free
 */
public record FetchLimits(
    long bytes, Duration stall, Duration connect, int redirects, long reserve) {
  /** 16 GiB, ten minutes without a byte, 30 seconds to connect, 10 redirects, 256 MiB. */
  public static final FetchLimits DEFAULT =
      new FetchLimits(16L << 30, Duration.ofMinutes(10), Duration.ofSeconds(30), 10, 256L << 20);

  /** Checks that the limits are positive. */
  public FetchLimits {
    if (bytes < 1
        || stall.isNegative()
        || stall.isZero()
        || connect.isNegative()
        || connect.isZero()
        || redirects < 0
        || reserve < 0) {
      throw new IllegalArgumentException("limits of downloads must be positive");
    }
  }
}
