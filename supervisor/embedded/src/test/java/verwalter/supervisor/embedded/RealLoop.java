package verwalter.supervisor.embedded;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import verwalter.concurrent.Loop;

/** A loop on a real thread and the real clock, for tests with real processes. */
final class RealLoop implements Loop, AutoCloseable {
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(RealLoop::daemon);
  private volatile Duration shift = Duration.ZERO;
  private final ExecutorService workers = Executors.newFixedThreadPool(4, RealLoop::daemon);

  static Thread daemon(Runnable work) {
    var thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /** Sets its clock ahead of that of the machine, or back with a negative duration. */
  void shift(Duration ahead) {
    shift = ahead;
  }

  @Override
  public Instant now() {
    return Instant.now().plus(shift).truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public void execute(Runnable task) {
    try {
      thread.execute(() -> guarded(task));
    } catch (RejectedExecutionException closed) {
      // As after a crash of the agent.
    }
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failed) {
      failed.printStackTrace();
      throw failed;
    }
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var future = thread.schedule(() -> guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public <V> Future<V> offload(Callable<V> work) {
    var promise = Promise.<V>promise();
    workers.execute(
        () -> {
          try {
            var value = work.call();
            execute(() -> promise.complete(value));
          } catch (Exception failed) {
            execute(() -> promise.fail(failed));
          }
        });
    return promise.future();
  }

  /** Stops as if the agent were killed, without cleanup. */
  @Override
  public void close() {
    thread.shutdownNow();
    workers.shutdownNow();
  }
}
