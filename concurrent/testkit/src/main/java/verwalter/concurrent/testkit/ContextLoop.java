package verwalter.concurrent.testkit;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;

/** A loop on a Vert.x context with the clock of the machine, for tests with real servers. */
public final class ContextLoop implements Loop {
  private final Vertx vertx;
  private final Context context;

  /** A loop on the context of the caller, or on a new one. */
  public ContextLoop(Vertx vertx) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
  }

  @Override
  public Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(here -> task.run());
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> execute(task));
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public <V> Future<V> offload(Callable<V> work) {
    var back = Promise.<V>promise();
    vertx.executeBlocking(work, false).onComplete(done -> execute(() -> back.handle(done)));
    return back.future();
  }
}
