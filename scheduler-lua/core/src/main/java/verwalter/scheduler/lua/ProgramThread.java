package verwalter.scheduler.lua;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler.Failed;

/**
 * A program on its own thread, used by one caller at a time, who waits for the result. A call that
 * exceeds its wall time is interrupted. If it does not end within a grace time, it is abandoned
 * with its thread, and the next call loads the program again.
 *
 * @param <P> the type of the program, which is used only on its thread
 */
public final class ProgramThread<P> implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** The program and its thread. */
  private final Setting<P> setting;

  private final Duration limit;
  private final Duration grace;
  private @Nullable Home<P> home; // guarded by this
  private boolean closed; // guarded by this

  /**
   * The description of a program and its thread.
   *
   * @param place the name of the program in messages
   * @param thread the name of the thread
   * @param stack the stack size of the thread, in bytes
   * @param loading loads the program, on its thread
   */
  public record Setting<P>(
      String place, String thread, long stack, ProgramThreads threads, Loading<P> loading) {}

  /** Loads a program. */
  @FunctionalInterface
  public interface Loading<P> {
    P load() throws Failed;
  }

  /** Calls a program, on its thread. */
  @FunctionalInterface
  public interface Use<P, V> {
    V of(P program) throws Failed;
  }

  private ProgramThread(Setting<P> setting, Duration limit, Duration grace) {
    this.setting = setting;
    this.limit = limit;
    this.grace = grace;
  }

  /**
   * Loads a program; blocks until it is loaded.
   *
   * @param limit the maximum duration of loading, and of each call
   * @throws Failed if it cannot be loaded
   */
  public static <P> ProgramThread<P> load(Setting<P> setting, Duration limit) throws Failed {
    return load(setting, limit, GRACE);
  }

  static <P> ProgramThread<P> load(Setting<P> setting, Duration limit, Duration grace)
      throws Failed {
    var confined = new ProgramThread<P>(setting, limit, grace);
    synchronized (confined) {
      confined.home();
    }
    return confined;
  }

  /**
   * Calls the program; blocks until the call ends.
   *
   * @throws Failed if the call fails or takes too long
   */
  public synchronized <V> V use(Use<P, V> use) throws Failed {
    var running = home();
    return await(running, new FutureTask<>(() -> use.of(running.program())));
  }

  /** Ends the program's thread; later calls fail. Calling it twice has no effect. */
  @Override
  public synchronized void close() {
    closed = true;
    abandon();
  }

  private Home<P> home() throws Failed {
    if (closed) {
      throw new Failed(setting.place() + ": the scheduler is closed", "");
    }
    if (home != null) {
      return home;
    }
    var fresh = new Home<>(setting);
    home = fresh;
    boolean loaded = false;
    try {
      await(fresh, new FutureTask<>(() -> fresh.program = setting.loading().load()));
      loaded = true;
    } finally {
      if (!loaded) {
        abandon();
      }
    }
    return fresh;
  }

  private void abandon() {
    if (home != null) {
      home.end();
      home = null;
    }
  }

  private <V> V await(Home<P> running, FutureTask<V> task) throws Failed {
    running.submit(task);
    try {
      try {
        return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException over) {
        running.thread.interrupt();
        return task.get(grace.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException failure) {
      throw failure(failure.getCause());
    } catch (TimeoutException stuck) {
      abandon();
      throw new Failed(
          setting.place()
              + ": wall time budget of "
              + limit.toMillis()
              + " ms used up, and the run did not end within "
              + grace.toMillis()
              + " ms more; the program will be loaded again",
          "");
    } catch (InterruptedException interrupted) {
      abandon();
      Thread.currentThread().interrupt();
      throw new Failed(setting.place() + ": the wait for the scheduler was interrupted", "");
    }
  }

  private Failed failure(@Nullable Throwable cause) {
    if (cause instanceof Failed failed) {
      return failed;
    }
    abandon();
    if (cause instanceof OutOfMemoryError) {
      return new Failed(setting.place() + ": the heap is too small for the scheduler", "");
    }
    throw new IllegalStateException("the engine failed in " + setting.place(), cause);
  }

  /** The thread of one program and its queue of calls. */
  private static final class Home<P> {
    private final LinkedBlockingQueue<FutureTask<?>> tasks = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean ended;
    private @Nullable P program; // written on the thread, read there

    Home(Setting<P> setting) {
      thread = setting.threads().thread(this::work, setting.thread(), setting.stack());
      thread.start();
    }

    P program() {
      if (program == null) {
        throw new IllegalStateException("not loaded");
      }
      return program;
    }

    void submit(FutureTask<?> task) {
      tasks.add(task);
    }

    void end() {
      ended = true;
      thread.interrupt();
    }

    private void work() {
      while (!ended) {
        try {
          tasks.take().run();
        } catch (InterruptedException late) {
          // The interrupt was meant for a run that has ended; the loop checks whether the thread is
          // closed.
          Thread.interrupted();
        }
      }
    }
  }
}
