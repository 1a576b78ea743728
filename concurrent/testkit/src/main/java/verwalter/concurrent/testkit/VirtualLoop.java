package verwalter.concurrent.testkit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;

/** A loop of a virtual world. Offloaded work takes up to 50 ms of virtual time, in any order. */
record VirtualLoop(VirtualWorld world, Lane lane) implements Loop {
  private static final int LONGEST_WORK = 50;

  @Override
  public Instant now() {
    return world.now();
  }

  @Override
  public void execute(Runnable task) {
    world.agenda().add(lane, 0, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var pending = world.agenda().add(lane, Agenda.millis(delay), task);
    return () -> world.agenda().cancel(pending);
  }

  @Override
  public <V> Future<V> offload(Callable<V> work) {
    var done = Promise.<V>promise();
    var worker = new Lane(lane.name() + " worker");
    int time = world.random().nextInt(LONGEST_WORK);
    world
        .agenda()
        .add(
            worker,
            time,
            () -> {
              if (!lane.dead) {
                var result = attempt(work);
                execute(() -> result.onComplete(done::handle));
              }
            });
    return done.future();
  }

  private static <V> Future<V> attempt(Callable<V> work) {
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception failure) {
      return Future.failedFuture(failure);
    }
  }

  @Override
  public boolean equals(@org.jspecify.annotations.Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return lane.name();
  }
}
