package verwalter.agent;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;

/**
 * A loop on a separate Vert.x event-loop context. The only class that depends on both Vert.x
 * contexts and loops.
 */
public final class VertxLoop implements Loop {
  private final Vertx vertx;
  private final Context context;
  private final InstantSource clock;

  /** Creates a loop of a Vert.x instance with a clock. */
  public VertxLoop(Vertx vertx, InstantSource clock) {
    this.vertx = vertx;
    this.context = ((VertxInternal) vertx).createEventLoopContext();
    this.clock = clock;
  }

  @Override
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public void execute(Runnable work) {
    context.runOnContext(here -> work.run());
  }

  @Override
  public Timer after(Duration delay, Runnable work) {
    var pending = new Pending(work);
    // Round up, since a timer must not fire early.
    long millis = Math.max(1, delay.plusNanos(999_999).toMillis());
    pending.id = vertx.setTimer(millis, fired -> execute(pending));
    return pending;
  }

  @Override
  public <V> Future<V> offload(Callable<V> work) {
    var back = Promise.<V>promise();
    vertx
        .executeBlocking(work, false)
        .onComplete(
            done ->
                execute(
                    () -> {
                      if (done.succeeded()) {
                        back.complete(done.result());
                      } else {
                        back.fail(done.cause());
                      }
                    }));
    return back.future();
  }

  /** A timer that does not run after it was cancelled, even if Vert.x has fired it already. */
  private final class Pending implements Timer, Runnable {
    private final Runnable work;
    private volatile boolean cancelled;
    private volatile long id;

    Pending(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      if (!cancelled) {
        work.run();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      vertx.cancelTimer(id);
    }
  }
}
