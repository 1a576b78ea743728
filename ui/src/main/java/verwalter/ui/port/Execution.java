package verwalter.ui.port;

import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import verwalter.concurrent.Loop;

/**
 * The execution environment of a server.
 *
 * @param loop the loop on which the store is used and decisions are made
 * @param clock measures the duration of requests; called from any thread
 * @param chance makes the ids of actions differ from those of other nodes; used on the loop
 */
public record Execution(Vertx vertx, Loop loop, InstantSource clock, RandomGenerator chance) {}
