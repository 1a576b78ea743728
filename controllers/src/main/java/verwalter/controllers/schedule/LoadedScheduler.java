package verwalter.controllers.schedule;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;
import verwalter.model.Scheduler;

/**
 * The scheduler in force. If the newest files cannot be loaded, the scheduler before stays in force
 * and {@link #problem} gives the reason. Confined to its loop.
 */
public final class LoadedScheduler implements AutoCloseable {
  /** Reads the scheduler's files. Blocks for at most the scheduler's budget. */
  @FunctionalInterface
  public interface Loader {
    Scheduler load() throws Scheduler.Failed;
  }

  private final Loop loop;
  private final Loader loader;
  private final List<Runnable> listeners = new ArrayList<>();
  private Optional<Scheduler> scheduler = Optional.empty();
  private Optional<String> problem = Optional.empty();
  private final List<Scheduler> retired = new ArrayList<>();
  private int running;
  private boolean loading;
  private boolean stale;
  private boolean closed;

  public LoadedScheduler(Loop loop, Loader loader) {
    this.loop = loop;
    this.loader = loader;
  }

  /** Loads the files again; calls during a load cause one more load. Call on the loop. */
  public void reload() {
    if (closed) {
      return;
    }
    if (loading) {
      stale = true;
      return;
    }
    loading = true;
    loop.offload(loader::load)
        .onComplete(
            loaded -> {
              loading = false;
              if (loaded.succeeded()) {
                release();
                scheduler = Optional.of(loaded.result());
                problem = Optional.empty();
              } else {
                problem = Optional.of(String.valueOf(loaded.cause().getMessage()));
              }
              if (closed) {
                release();
                return;
              }
              listeners.forEach(Runnable::run);
              if (stale) {
                stale = false;
                reload();
              }
            });
  }

  /** The scheduler that was loaded last. */
  Optional<Scheduler> scheduler() {
    return scheduler;
  }

  /** Why the newest files could not be loaded. */
  Optional<String> problem() {
    return problem;
  }

  /** Whether a load has ended, with or without success. */
  boolean tried() {
    return scheduler.isPresent() || problem.isPresent();
  }

  /**
   * Runs work that uses the scheduler in force off the loop. A scheduler that is replaced meanwhile
   * is closed after the work ends.
   */
  <V> Future<V> run(Callable<V> work) {
    running++;
    return loop.offload(work)
        .onComplete(
            done -> {
              running--;
              closeRetired();
            });
  }

  void onLoad(Runnable listener) {
    listeners.add(listener);
  }

  /** Stops loading, and closes the scheduler once no run uses it. Call on the loop. */
  @Override
  public void close() {
    closed = true;
    release();
  }

  /** Retires the scheduler in force; it is closed when no run uses it. */
  private void release() {
    scheduler.ifPresent(retired::add);
    scheduler = Optional.empty();
    closeRetired();
  }

  /** Closes retired schedulers off the loop, since closing may block. */
  private void closeRetired() {
    if (running > 0) {
      return;
    }
    for (var old : retired) {
      loop.offload(
          () -> {
            old.close();
            return old;
          });
    }
    retired.clear();
  }
}
