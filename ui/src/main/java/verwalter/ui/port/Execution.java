package verwalter.ui.port;

import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import verwalter.concurrent.Loop;

/**
 * What a server runs on.
 *
 * @param loop where the store is asked and everything is decided
 * @param clock measures how long answers take; asked from any thread
 * @param chance makes the ids of actions different from those of other nodes; used on the loop
 */
public record Execution(Vertx vertx, Loop loop, InstantSource clock, RandomGenerator chance) {}
