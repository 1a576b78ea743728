package verwalter.concurrent;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** The delay before the n-th consecutive retry, counted from 1. */
@FunctionalInterface
public interface Backoff {
  Duration delay(int failures);

  /** A backoff that begins with {@code first} and doubles up to {@code limit}. */
  static Backoff exponential(Duration first, Duration limit) {
    return failures -> {
      var delay = first.multipliedBy(1L << Math.min(failures - 1, 30));
      return delay.compareTo(limit) < 0 ? delay : limit;
    };
  }

  /**
   * Shortens each delay by a random part of at most {@code share}, so that simultaneous failures
   * are not retried simultaneously.
   *
   * @param chance random numbers from 0 (inclusive) to 1 (exclusive)
   */
  default Backoff jittered(double share, DoubleSupplier chance) {
    return failures -> {
      var delay = delay(failures);
      return delay.minusNanos((long) (delay.toNanos() * share * chance.getAsDouble()));
    };
  }
}
