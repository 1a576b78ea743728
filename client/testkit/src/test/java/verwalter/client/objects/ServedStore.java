package verwalter.client.objects;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.UiServer;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;

/** The API server with a store in memory, in this process. */
final class ServedStore implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final Loop loop = new ContextLoop(vertx);
  private final MemoryStore store =
      new MemoryStore(InstantSource.system(), () -> UUID.randomUUID().toString());
  private final int port;

  ServedStore() {
    var server =
        new UiServer(
            new Execution(vertx, loop, InstantSource.system(), new Random(1)),
            Ports.of(store, new Alone()));
    port = await(server.start("127.0.0.1", 0));
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  Loop loop() {
    return loop;
  }

  MemoryStore store() {
    return store;
  }

  /** Runs work on the loop and waits for its result. */
  <V> V on(Supplier<Future<V>> work) {
    return await(begun(work));
  }

  /** Runs work on the loop that must fail, and returns its failure. */
  Throwable failure(Supplier<Future<Void>> work) {
    return on(
        () ->
            work.get()
                .<Throwable>map(done -> new AssertionError("it did not fail"))
                .otherwise(it -> it));
  }

  private <V> Future<V> begun(Supplier<Future<V>> work) {
    var done = Promise.<V>promise();
    loop.execute(() -> work.get().onComplete(done));
    return done.future();
  }

  /** Waits until a condition holds on the loop. */
  void until(BooleanSupplier goal) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!on(() -> Future.succeededFuture(goal.getAsBoolean()))) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the goal was not reached");
      }
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private static <V> V await(Future<V> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A single node that is the leader. */
  private static final class Alone implements ClusterView {
    @Override
    public Self self() {
      return new Self("n1", "a1", "n1.example", "0.1.0", "common", Path.of("/etc"), List.of());
    }

    @Override
    public Future<Map<String, Object>> measured() {
      return Future.succeededFuture(Map.of());
    }

    @Override
    public Optional<Member> leader() {
      return Optional.of(
          new Member(self().id(), self().name(), self().hostname(), Optional.empty()));
    }

    @Override
    public long epoch() {
      return 1;
    }
  }
}
