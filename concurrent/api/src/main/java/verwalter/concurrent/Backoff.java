package verwalter.concurrent;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How long to wait before the n-th retry in a row; n counts from 1. */
@FunctionalInterface
public interface Backoff {
  Duration delay(int failures);

  /** {@code first}, then twice as long each time, up to {@code limit}. */
  static Backoff exponential(Duration first, Duration limit) {
    return failures -> {
      var delay = first.multipliedBy(1L << Math.min(failures - 1, 30));
      return delay.compareTo(limit) < 0 ? delay : limit;
    };
  }

  /**
   * Shortened by up to {@code share} of itself, so that what failed together is not retried
   * together.
   *
   * @param chance numbers from 0 (inclusive) to 1 (exclusive)
   */
  default Backoff jittered(double share, DoubleSupplier chance) {
    return failures -> {
      var delay = delay(failures);
      return delay.minusNanos((long) (delay.toNanos() * share * chance.getAsDouble()));
    };
  }
}
