package verwalter.controllers.runtime;

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

  /** The counters of those that have begun. */
  public List<Counters.Snapshot> counters() {
    return each(controller -> controller.counters().snapshot());
  }

  private <V> List<V> each(Function<Controller, V> use) {
    return running.stream().flatMap(entry -> entry.controller().stream()).map(use).toList();
  }

  /** Stops them in reverse order. */
  @Override
  public void close() {
    for (int i = running.size() - 1; i >= 0; i--) {
      running.get(i).stop();
    }
    running.clear();
  }

  /** One controller; touched on its loop, read from anywhere. */
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

    void stop() {
      loop.execute(() -> controller.ifPresent(Controller::close));
    }
  }
}
