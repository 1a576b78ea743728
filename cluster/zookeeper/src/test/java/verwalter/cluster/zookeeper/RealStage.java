package verwalter.cluster.zookeeper;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import verwalter.cluster.testkit.LeadershipContract;
import verwalter.concurrent.Loop;

/** Loops with real time, whose tasks run on the thread of the test while it waits. */
abstract class RealStage extends LeadershipContract {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Duration QUIET = Duration.ofMillis(150);

  private final DelayQueue<Task> tasks = new DelayQueue<>();
  private final AtomicLong order = new AtomicLong();
  private final List<Runnable> invariants = new ArrayList<>();
  private Loop current;

  /** Whether everything has happened that the test has caused. */
  abstract boolean isSettled();

  private record Task(TestLoop loop, Runnable work, long at, long order) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      var that = (Task) other;
      return at == that.at ? Long.compare(order, that.order) : Long.compare(at, that.at);
    }
  }

  /** A loop of the stage. Tasks may be added from any thread. */
  private final class TestLoop implements Loop {
    @Override
    public Instant now() {
      return Instant.now();
    }

    @Override
    public void execute(Runnable task) {
      after(Duration.ZERO, task);
    }

    @Override
    public Timer after(Duration delay, Runnable work) {
      long days = Math.min(delay.toDays(), 1);
      long nanos = days > 0 ? Duration.ofDays(1).toNanos() : delay.toNanos();
      var task = new Task(this, work, System.nanoTime() + nanos, order.incrementAndGet());
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    @Override
    public <V> Future<V> offload(Callable<V> work) {
      throw new UnsupportedOperationException("a leadership offloads nothing");
    }
  }

  private void runUntil(BooleanSupplier goal, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (!goal.getAsBoolean() && System.nanoTime() < end) {
      try {
        var task = tasks.poll(10, TimeUnit.MILLISECONDS);
        if (task != null) {
          current = task.loop();
          task.work().run();
          invariants.forEach(Runnable::run);
          current = null;
        }
      } catch (InterruptedException stopped) {
        throw new AssertionError(stopped);
      }
    }
  }

  /** A loop for what is tested. */
  Loop loop() {
    return new TestLoop();
  }

  @Override
  protected Stage stage() {
    return new Stage() {
      @Override
      public Loop loop(String name) {
        return new TestLoop();
      }

      @Override
      public boolean isOn(Loop loop) {
        return current == loop;
      }

      @Override
      public Instant now() {
        return Instant.now();
      }

      @Override
      public Duration lateness() {
        return Duration.ofSeconds(2);
      }

      @Override
      public void always(Runnable invariant) {
        invariants.add(invariant);
      }

      @Override
      public void settle() {
        runUntil(RealStage.this::isSettled, LIMIT);
        if (!isSettled()) {
          throw new AssertionError("not settled within " + LIMIT);
        }
        runUntil(() -> false, QUIET); // whatever is too much
      }

      @Override
      public void await(Future<Void> future) {
        runUntil(future::isComplete, LIMIT);
        if (!future.succeeded()) {
          throw new AssertionError("not completed: " + future);
        }
      }
    };
  }
}
