package verwalter.agent;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Watches over work that ends by itself unless something is stuck, such as a disk (verwalter.md
 * 1.5). An alarm belongs to the thread that has set it.
 */
final class Alarms implements AutoCloseable {
  private final ScheduledExecutorService timer;
  private final Consumer<String> rung;
  private final Map<Thread, Alarm> set = new ConcurrentHashMap<>();

  /** What is watched. Used by its own thread only. */
  private final class Alarm {
    private final String name;
    private final Duration limit;
    private Future<?> ringing;

    private Alarm(String name, Duration limit) {
      this.name = name;
      this.limit = limit;
      this.ringing = wound();
    }

    private Future<?> wound() {
      return timer.schedule(
          () -> rung.accept(name + " took longer than " + limit.toSeconds() + " s"),
          limit.toMillis(),
          TimeUnit.MILLISECONDS);
    }

    private void stop() {
      ringing.cancel(false);
    }
  }

  /**
   * Alarms of one process.
   *
   * @param rung hears what took too long
   */
  Alarms(ThreadFactory threads, Consumer<String> rung) {
    this.timer = Executors.newSingleThreadScheduledExecutor(threads);
    this.rung = rung;
  }

  /** Work that may fail. */
  @FunctionalInterface
  interface Work<V, E extends Exception> {
    V run() throws E;
  }

  /**
   * Does the work; rings if that takes longer than the limit, but for what {@link #resting} does.
   */
  <V, E extends Exception> V during(String name, Duration limit, Work<V, E> work) throws E {
    var alarm = new Alarm(name, limit);
    set.put(Thread.currentThread(), alarm);
    try {
      return work.run();
    } finally {
      set.remove(Thread.currentThread());
      alarm.stop();
    }
  }

  /** Does work that has a limit of its own; the alarm of this thread begins anew after it. */
  <V> V resting(Supplier<V> work) {
    var alarm = set.get(Thread.currentThread());
    if (alarm == null) {
      return work.get();
    }
    alarm.stop();
    try {
      return work.get();
    } finally {
      alarm.ringing = alarm.wound();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
