package verwalter.supervisor.testkit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import verwalter.concurrent.Loop;

/** A loop whose time passes only when asked to. */
final class Steps implements Loop {
  private record Task(Instant due, long order, Runnable work) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparing(Task::due).thenComparing(Task::order));
  private Instant now = Instant.EPOCH;
  private long order;

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void execute(Runnable task) {
    after(Duration.ZERO, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var added = new Task(now.plus(delay), order++, task);
    tasks.add(added);
    return () -> tasks.remove(added);
  }

  @Override
  public <V> Future<V> offload(Callable<V> work) {
    var promise = Promise.<V>promise();
    execute(
        () -> {
          try {
            promise.complete(work.call());
          } catch (Exception failed) {
            promise.fail(failed);
          }
        });
    return promise.future();
  }

  void until(BooleanSupplier goal) {
    for (int i = 0; !goal.getAsBoolean(); i++) {
      var next = tasks.poll();
      if (next == null || i > 10_000) {
        throw new AssertionError("never, as of " + now);
      }
      now = next.due().isAfter(now) ? next.due() : now;
      next.work().run();
    }
  }

  void pass(Duration span) {
    var end = now.plus(span);
    execute(() -> {});
    after(span, () -> {});
    until(() -> tasks.isEmpty() || tasks.peek().due().isAfter(end));
    now = end;
  }
}
