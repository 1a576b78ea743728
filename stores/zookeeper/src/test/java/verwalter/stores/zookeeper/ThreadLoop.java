package verwalter.stores.zookeeper;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import verwalter.concurrent.TimedExecutor;

/** A thread with real time, whose tasks a test can wait for. */
final class ThreadLoop implements TimedExecutor, AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration QUIET = Duration.ofMillis(300);

  private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);
  private long tasks;

  ThreadLoop() {
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private Runnable counted(Runnable task) {
    return () -> {
      try {
        task.run();
      } finally {
        synchronized (this) {
          tasks++;
          notifyAll();
        }
      }
    };
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void execute(Runnable task) {
    if (!thread.isShutdown()) {
      thread.execute(counted(task));
    }
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var timer = thread.schedule(counted(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    return () -> timer.cancel(false);
  }

  /** Waits until the condition holds, which is evaluated after each task. */
  synchronized void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      long rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (rest <= 0) {
        throw new AssertionError("the condition does not hold within " + LIMIT);
      }
      wait(rest);
    }
  }

  /** Waits until no task has run for a while. */
  synchronized void awaitQuiet() throws InterruptedException {
    long before = -1;
    while (before != tasks) {
      before = tasks;
      wait(QUIET.toMillis());
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
