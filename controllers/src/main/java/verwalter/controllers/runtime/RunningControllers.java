package verwalter.controllers.runtime;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import verwalter.concurrent.Loop;

/** The controllers of one agent, each on a loop of its own. Start them from one thread. */
public final class RunningControllers implements AutoCloseable {
  private final List<Running> running = new ArrayList<>();

  /** Starts a controller on {@code loop}. */
  public void start(Loop loop, Controller.Builder builder) {
    var entry = new Running(loop, builder);
    running.add(entry);
  }

  /** The counters of the controllers that have started. */
  public List<Counters.Snapshot> counters() {
    return each(controller -> controller.counters().snapshot());
  }

  private <V> List<V> each(Function<Controller, V> use) {
    return running.stream().flatMap(entry -> entry.controller().stream()).map(use).toList();
  }

  /** Stops the controllers in reverse order. */
  @Override
  public void close() {
    stop();
  }

  /**
   * Stops the controllers in reverse order. The future completes when none of their reconciles is
   * in progress.
   */
  public Future<Void> stop() {
    var stopped = new ArrayList<Future<Void>>();
    for (int i = running.size() - 1; i >= 0; i--) {
      stopped.add(running.get(i).stop());
    }
    running.clear();
    return Future.join(stopped).mapEmpty();
  }

  /** One controller. Changed on its loop, read from any thread. */
  private static final class Running {
    private final Loop loop;
    private volatile Optional<Controller> controller = Optional.empty();

    Running(Loop loop, Controller.Builder builder) {
      this.loop = loop;
      loop.execute(() -> controller = Optional.of(builder.startOn(loop)));
    }

    Optional<Controller> controller() {
      return controller;
    }

    Future<Void> stop() {
      var stopped = Promise.<Void>promise();
      loop.execute(
          () ->
              controller
                  .map(Controller::stop)
                  .orElseGet(Future::succeededFuture)
                  .onComplete(stopped));
      return stopped.future();
    }
  }
}
