package verwalter.concurrent;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;

/** An executor with a clock and timers. */
public interface TimedExecutor extends Executor {
  /** The time by this executor's clock, to the millisecond. */
  Instant now();

  /** Runs {@code task} on this executor after {@code delay}. */
  Timer after(Duration delay, Runnable task);

  /** A pending {@link #after}. Cancelling a timer that has fired has no effect. */
  @FunctionalInterface
  interface Timer {
    void cancel();
  }
}
