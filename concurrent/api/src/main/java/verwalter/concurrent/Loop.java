package verwalter.concurrent;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/**
 * One thread of control and its clock. State that belongs to a loop is touched only on that loop,
 * so it needs no locks; tests swap in a loop whose time they own.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>Tasks given to {@link #execute} run one at a time, in the order given.
 *   <li>{@link #execute} may be called from any thread and never runs the task before it returns.
 *   <li>A task given to {@link #after} runs on the loop, not before its delay is over.
 *   <li>A cancelled timer's task does not run, if {@code cancel} was called on the loop before it
 *       began.
 *   <li>{@link #offload} runs the work elsewhere, and its future completes on this loop.
 * </ol>
 */
public interface Loop extends Executor {
  /** The time by this loop's clock, to the millisecond. */
  Instant now();

  /** Runs {@code task} on this loop once {@code delay} is over. */
  Timer after(Duration delay, Runnable task);

  /** Runs work that may block somewhere else and completes back on this loop. */
  <V> Future<V> offload(Callable<V> work);

  /** A pending {@link #after}; cancelling one that has fired does nothing. */
  @FunctionalInterface
  interface Timer {
    void cancel();
  }
}
