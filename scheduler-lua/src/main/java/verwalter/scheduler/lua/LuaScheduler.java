package verwalter.scheduler.lua;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler;

/**
 * A scheduler in Lua. The program lives on its own thread, with a stack deep enough for its calls;
 * a decision is made there while the caller waits. A run whose wall time is over is interrupted;
 * one that then does not end within a grace time is abandoned, and the next decision loads the
 * program anew, with new globals. Decisions are made one at a time.
 */
public final class LuaScheduler implements Scheduler, AutoCloseable {
  /** Bytes of stack that a program's thread needs. */
  public static final long STACK = 256L << 20;

  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Code code;
  private final Budget budget;
  private final LuaEngine engine;
  private final ProgramThreads threads;
  private final Duration grace;
  private @Nullable Home home; // guarded by this
  private boolean closed; // guarded by this

  private LuaScheduler(
      Code code, Budget budget, LuaEngine engine, ProgramThreads threads, Duration grace) {
    this.code = code;
    this.budget = budget;
    this.engine = engine;
    this.threads = threads;
    this.grace = grace;
  }

  /**
   * Loads a program; blocks until that is done.
   *
   * @throws Scheduler.Failed if it has no {@code main.lua} that can be parsed, fails, or uses up
   *     the budget
   */
  public static LuaScheduler load(
      Code code, Budget budget, LuaEngine engine, ProgramThreads threads) throws Failed {
    return load(code, budget, engine, threads, GRACE);
  }

  static LuaScheduler load(
      Code code, Budget budget, LuaEngine engine, ProgramThreads threads, Duration grace)
      throws Failed {
    var scheduler = new LuaScheduler(code, budget, engine, threads, grace);
    synchronized (scheduler) {
      scheduler.home();
    }
    return scheduler;
  }

  @Override
  public String code() {
    return code.hash();
  }

  @Override
  public synchronized Decision decide(Map<String, Object> input) throws Failed {
    var running = home();
    return await(running, new FutureTask<>(() -> running.program().decide(input)));
  }

  /** Ends the program's thread; later decisions fail. Twice is harmless. */
  @Override
  public synchronized void close() {
    closed = true;
    abandon();
  }

  private Home home() throws Failed {
    if (closed) {
      throw new Failed(code.place() + ": the scheduler is closed", "");
    }
    if (home != null) {
      return home;
    }
    var fresh = new Home(threads);
    home = fresh;
    boolean loaded = false;
    try {
      await(fresh, new FutureTask<>(() -> fresh.program = engine.load(code, budget)));
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

  private <V> V await(Home running, FutureTask<V> task) throws Failed {
    running.submit(task);
    try {
      try {
        return task.get(budget.wallTime().toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException over) {
        running.thread.interrupt();
        return task.get(grace.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException failure) {
      throw failure(failure.getCause());
    } catch (TimeoutException stuck) {
      abandon();
      throw new Failed(
          code.place()
              + ": wall time budget of "
              + budget.wallTime().toMillis()
              + " ms used up, and the run did not end within "
              + grace.toMillis()
              + " ms more; the program will be loaded anew",
          "");
    } catch (InterruptedException interrupted) {
      abandon();
      Thread.currentThread().interrupt();
      throw new Failed(code.place() + ": the wait for the scheduler was interrupted", "");
    }
  }

  private Failed failure(@Nullable Throwable cause) {
    if (cause instanceof Failed failed) {
      return failed;
    }
    abandon();
    if (cause instanceof OutOfMemoryError) {
      return new Failed(code.place() + ": the heap is too small for the scheduler", "");
    }
    throw new IllegalStateException("the Lua engine failed in " + code.place(), cause);
  }

  /** The thread of one program and what it is asked to do. */
  private static final class Home {
    private final LinkedBlockingQueue<FutureTask<?>> tasks = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean ended;
    private @Nullable LuaProgram program; // written on the thread, read there

    Home(ProgramThreads threads) {
      thread = threads.thread(this::work, "lua-scheduler", STACK);
      thread.start();
    }

    LuaProgram program() {
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
          Thread
              .interrupted(); // it was meant for a run that had ended; the loop sees if it is over
        }
      }
    }
  }
}
