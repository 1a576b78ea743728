package verwalter.ui;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;

/** Loops whose timers run when a test lets time pass. */
final class HeldTimers {
  private record Held(Duration due, Runnable task) {}

  private final List<Held> held = new ArrayList<>();
  private Duration passed = Duration.ZERO;

  /** A loop that executes on {@code inner}. */
  Loop over(Loop inner) {
    return new Loop() {
      @Override
      public Timer after(Duration delay, Runnable task) {
        return hold(delay, () -> inner.execute(task));
      }

      @Override
      public Instant now() {
        return inner.now();
      }

      @Override
      public void execute(Runnable task) {
        inner.execute(task);
      }

      @Override
      public <V> Future<V> offload(Callable<V> work) {
        return inner.offload(work);
      }
    };
  }

  /** Lets time pass for timers. */
  synchronized void pass(Duration span) {
    passed = passed.plus(span);
    for (var each : List.copyOf(held)) {
      if (each.due().compareTo(passed) <= 0) {
        held.remove(each);
        each.task().run();
      }
    }
  }

  private synchronized TimedExecutor.Timer hold(Duration delay, Runnable task) {
    var timer = new Held(passed.plus(delay), task);
    held.add(timer);
    return () -> cancel(timer);
  }

  private synchronized void cancel(Held timer) {
    held.remove(timer);
  }
}
