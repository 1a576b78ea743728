package verwalter.concurrent.testkit;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;

/**
 * A loop whose clock can be set. Its timers do not depend on the clock, like those of a machine.
 */
public final class ShiftedLoop implements Loop {
  private final Loop inner;
  private volatile Duration shift = Duration.ZERO;

  /** A loop that shows the time of {@code inner} at first. */
  public ShiftedLoop(Loop inner) {
    this.inner = inner;
  }

  /** Sets the clock ahead of that of the inner loop, or back with a negative duration. */
  public void shift(Duration ahead) {
    shift = ahead;
  }

  @Override
  public Instant now() {
    return inner.now().plus(shift);
  }

  @Override
  public void execute(Runnable task) {
    inner.execute(task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    return inner.after(delay, task);
  }

  @Override
  public <V> Future<V> offload(Callable<V> work) {
    return inner.offload(work);
  }
}
