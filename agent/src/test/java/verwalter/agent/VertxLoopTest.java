package verwalter.agent;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.LoopContract;

/** Tests that real event loops keep the promises that simulations rely on. */
class VertxLoopTest extends LoopContract {
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(10);

  private final Vertx vertx = Vertx.vertx();
  private final Map<Loop, Thread> threads = new ConcurrentHashMap<>();

  @AfterEach
  void close() throws Exception {
    Waiting.forResult(vertx.close());
  }

  @Override
  protected Loop newLoop() {
    var loop = new VertxLoop(vertx, InstantSource.system());
    var known = new CountDownLatch(1);
    loop.execute(
        () -> {
          threads.put(loop, Thread.currentThread());
          known.countDown();
        });
    await(known);
    return loop;
  }

  @Override
  protected void until(BooleanSupplier goal) {
    long end = System.nanoTime() + WAIT_LIMIT.toNanos();
    while (!goal.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no result within " + WAIT_LIMIT);
      }
      Thread.onSpinWait();
    }
  }

  @Override
  protected boolean isOn(Loop loop) {
    return Thread.currentThread() == threads.get(loop);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(WAIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the loop does not run");
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
