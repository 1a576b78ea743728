package verwalter.concurrent;

import io.vertx.core.Future;
import java.util.concurrent.Callable;

/**
 * An event loop with a clock. State that belongs to a loop is used only on that loop and needs no
 * locks. Tests use loops with virtual time.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>Tasks passed to {@link #execute} run one at a time, in the order of the calls.
 *   <li>{@link #execute} may be called from any thread and never runs the task before it returns.
 *   <li>A task passed to {@link #after} runs on the loop, not before its delay has passed.
 *   <li>The task of a cancelled timer does not run if {@code cancel} was called on the loop before
 *       the task began.
 *   <li>{@link #offload} runs the work on another thread, and its future completes on this loop.
 * </ol>
 */
public interface Loop extends TimedExecutor {
  /** Runs blocking work on another thread and completes the future on this loop. */
  <V> Future<V> offload(Callable<V> work);
}
