package verwalter.agent;

import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.Function;
import verwalter.concurrent.Loop;

/** Creates loops, each with a separate event-loop context and an alarm. */
final class Loops implements Function<String, Loop> {
  private final Vertx vertx;
  private final InstantSource clock;
  private final Alarms alarms;

  Loops(Vertx vertx, InstantSource clock, Alarms alarms) {
    this.vertx = vertx;
    this.clock = clock;
    this.alarms = alarms;
  }

  @Override
  public Loop apply(String name) {
    var loop = new VertxLoop(vertx, clock);
    alarms.watch(name, loop);
    return loop;
  }
}
