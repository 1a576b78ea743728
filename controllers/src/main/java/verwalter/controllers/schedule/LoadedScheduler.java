package verwalter.controllers.schedule;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;
import verwalter.model.Scheduler;

/**
 * The scheduler in force. Loading a broken one leaves the one before in force and keeps the reason.
 * Confined to its loop.
 */
public final class LoadedScheduler implements AutoCloseable {
  /** Reads the scheduler's files; may take as long as its budget allows. */
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

  public LoadedScheduler(Loop loop, Loader loader) {
    this.loop = loop;
    this.loader = loader;
  }

  /** Loads the files again, as often as asked but once at a time. Call on the loop. */
  public void reload() {
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
              listeners.forEach(Runnable::run);
              if (stale) {
                stale = false;
                reload();
              }
            });
  }

  /** The last one that could be loaded. */
  Optional<Scheduler> scheduler() {
    return scheduler;
  }

  /** Why the newest files could not be loaded. */
  Optional<String> problem() {
    return problem;
  }

  /** Whether anything was tried yet. */
  boolean tried() {
    return scheduler.isPresent() || problem.isPresent();
  }

  /**
   * Does work with the scheduler in force off the loop. One that is replaced meanwhile is closed
   * only afterwards: a run that began must not fail for it.
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

  @Override
  public void close() {
    release();
  }

  /** Lets go of the scheduler in force, once no run needs it any more. */
  private void release() {
    scheduler.ifPresent(retired::add);
    scheduler = Optional.empty();
    closeRetired();
  }

  /** Closes off the loop, since that may wait. */
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
