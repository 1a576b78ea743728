package verwalter.artifacts;

import java.time.Duration;

/**
 * Whether a server sends fast enough: a number of bytes in each window of the time that it is
 * waited for. What the disk or a limit of bandwidth takes is no fault of the server, and does not
 * count. Used by one thread.
 */
final class Pace {
  private final Duration window;
  private final long least;
  private long waitedNanos;
  private long bytes;

  /**
   * @param window longest time of waiting for {@code least} bytes
   * @param least number of bytes, at least 1
   */
  Pace(Duration window, long least) {
    this.window = window;
    this.least = least;
  }

  /**
   * Counts a wait and what has arrived after it.
   *
   * @return whether the server is still fast enough
   */
  boolean keeps(long nanos, long arrived) {
    waitedNanos += nanos;
    bytes += arrived;
    if (bytes >= least) {
      waitedNanos = 0;
      bytes = 0;
    }
    return waitedNanos <= window.toNanos();
  }

  /** What a server that is too slow has done, for messages. */
  String text() {
    return least == 1
        ? "no byte has arrived for %d seconds".formatted(window.toSeconds())
        : "less than %d bytes have arrived in %d seconds".formatted(least, window.toSeconds());
  }
}
