package verwalter.agent;

import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.Function;
import verwalter.stores.api.Loop;

/** Gives out loops, each on an event-loop context of its own. */
final class Loops implements Function<String, Loop> {
  private final Vertx vertx;
  private final InstantSource clock;

  Loops(Vertx vertx, InstantSource clock) {
    this.vertx = vertx;
    this.clock = clock;
  }

  @Override
  public Loop apply(String name) {
    return new VertxLoop(vertx, clock);
  }
}
