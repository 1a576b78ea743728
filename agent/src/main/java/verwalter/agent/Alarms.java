package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Reconciler;

/**
 * Watchdogs of one process. Time is counted in ticks of this process, so a stopped process or a
 * sleeping machine raises no alarm. Thread-safe.
 */
final class Alarms {
  static final Duration TICK = Duration.ofSeconds(5);

  /** The number of ticks between two checks of an event loop. */
  private static final int ASKING = 2;

  private final Consumer<String> rung;
  private final Set<Running> running = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Running> ofThreads = new ConcurrentHashMap<>();
  private final List<Asked> loops = new CopyOnWriteArrayList<>();

  /** Used by the thread that ticks. */
  private int ticks;

  /**
   * Creates the alarms of a process. The owner calls {@link #tick}.
   *
   * @param rung receives the description of work that took too long
   */
  Alarms(Consumer<String> rung) {
    this.rung = rung;
  }

  /** Guarded work. */
  private final class Running {
    private final Alarm alarm;
    private final String of;
    private final AtomicLong left = new AtomicLong();

    private Running(Alarm alarm, String of) {
      this.alarm = alarm;
      this.of = of;
      begin();
    }

    private void begin() {
      left.set(alarm.limit().dividedBy(TICK));
      running.add(this);
    }

    private void end() {
      running.remove(this);
    }

    private void tick() {
      if (left.decrementAndGet() == 0) {
        rung.accept(
            "%s%s took longer than %d s"
                .formatted(
                    alarm.title(), of.isEmpty() ? "" : " of " + of, alarm.limit().toSeconds()));
      }
    }
  }

  /** An event loop that is checked periodically. */
  private final class Asked {
    private final String name;
    private final Loop loop;
    private volatile boolean waiting;

    private Asked(String name, Loop loop) {
      this.name = name;
      this.loop = loop;
    }

    private void ask() {
      if (!waiting) {
        waiting = true;
        var question = new Running(Alarm.EVENT_LOOP, name);
        loop.execute(
            () -> {
              question.end();
              waiting = false;
            });
      }
    }
  }

  /** Counts one {@link #TICK}. Call from one thread. */
  void tick() {
    running.forEach(Running::tick);
    if (ticks++ % ASKING == 0) {
      loops.forEach(Asked::ask);
    }
  }

  /** Starts to count ticks until closed. */
  AutoCloseable start(ThreadFactory threads) {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(threads);
    // A fixed delay: ticks that were missed while the process was stopped must not be made up for.
    var ticking =
        timer.scheduleWithFixedDelay(
            this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    return () -> {
      ticking.cancel(false);
      timer.shutdownNow();
    };
  }

  /** Work that may fail. */
  @FunctionalInterface
  interface Work<V, E extends Exception> {
    V run() throws E;
  }

  /**
   * Runs work and raises an alarm if it exceeds the limit. Time within {@link #resting} does not
   * count.
   *
   * @param of identifies the work among others of the same kind; may be empty
   */
  <V, E extends Exception> V during(Alarm alarm, String of, Work<V, E> work) throws E {
    var watched = new Running(alarm, of);
    ofThreads.put(Thread.currentThread(), watched);
    try {
      return work.run();
    } finally {
      ofThreads.remove(Thread.currentThread());
      watched.end();
    }
  }

  /** Runs work with a separate limit. The time of this thread's alarm starts anew afterwards. */
  <V> V resting(Supplier<V> work) {
    var watched = ofThreads.get(Thread.currentThread());
    if (watched == null) {
      return work.get();
    }
    watched.end();
    try {
      return work.get();
    } finally {
      watched.begin();
    }
  }

  /** Wraps a reconciler and raises an alarm if a run exceeds the limit. */
  Reconciler over(Alarm alarm, Reconciler reconciler) {
    return key -> {
      var watched = new Running(alarm, "");
      try {
        return reconciler.reconcile(key).onComplete(done -> watched.end());
      } catch (RuntimeException failure) {
        watched.end();
        return Future.failedFuture(failure);
      }
    };
  }

  /** Raises an alarm if this loop stops running tasks. */
  void watch(String name, Loop loop) {
    loops.add(new Asked(name, loop));
  }
}
