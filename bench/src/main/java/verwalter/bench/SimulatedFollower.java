package verwalter.bench;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import verwalter.agent.Leading;
import verwalter.agent.NodeAgent;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.mirror.MirrorClient;
import verwalter.cluster.mirror.MirrorLeases;
import verwalter.cluster.mirror.NodeFeed;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.RuntimeReading;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.FileWatch;
import verwalter.model.Scheduler;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.MemoryStore;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;

/**
 * A machine with an agent that never leads. The controllers and the feed to the leader are the real
 * ones; the store of the node is in memory, and the store of the cluster is shared by all
 * followers.
 */
final class SimulatedFollower {
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

  private static final double JITTER = 0.3;

  private final VirtualWorld world;
  private final int number;
  private final int nodes;
  private final Random random;
  private final MemoryStore objects;
  private final FakeMachine machine = new FakeMachine();
  private final NoFiles files = new NoFiles();
  private final List<Loop> loops = new ArrayList<>();
  private long starts;

  /** Creates a machine of a cluster of so many nodes. */
  SimulatedFollower(VirtualWorld world, int number, int nodes) {
    this.world = world;
    this.nodes = nodes;
    this.number = number;
    this.random = new Random(number);
    this.objects = new MemoryStore(world.clock(), world.uids());
  }

  private Loop loop(String name) {
    var loop = world.loop(name);
    loops.add(loop);
    return loop;
  }

  /**
   * Starts the agent.
   *
   * @param cluster the objects of the cluster
   * @param connector opens connections to the leader, which call back on the given loop
   */
  void start(
      EpochStore cluster, Leadership leadership, Function<Loop, MirrorClient.Connector> connector)
      throws IOException {
    var self = SimulatedMachine.of(number);
    var operator = new Author(Writer.OPERATOR, Optional.empty(), OptionalLong.empty());
    var mirrorLoop = loop("mirrors");
    var feed =
        new NodeFeed(
            self.name(),
            ++starts,
            objects,
            AuthoredStore.of(objects, operator),
            mirrorLoop,
            () -> nodes);
    var client =
        new MirrorClient(
            mirrorLoop,
            feed,
            connector.apply(mirrorLoop),
            RETRY.jittered(JITTER, random::nextDouble));
    leadership.watch(mirrorLoop, term -> client.follow(term.map(Term::leader)));
    var leases = new MirrorLeases(self.id(), world.clock(), () -> mirrorLoop.execute(feed::beat));
    var store = new RoutedStore(cluster, objects);
    NodeAgent.start(
        new NodeAgent.Parts(
            store,
            new NodeAgent.Cluster(
                store, leadership, leases, Leading.NOTHING, UnaryOperator.identity(), () -> false),
            new NodeAgent.Execution(this::loop, random::nextDouble),
            new NodeAgent.Configuration(
                () -> new RuntimeReading(Map.of(), Map.of()), (on, listener) -> () -> {}),
            new NodeAgent.Scheduling(
                () -> {
                  throw new Scheduler.Failed("this node does not lead", "");
                },
                decision -> {},
                questions -> Map.of(),
                UnaryOperator.identity()),
            new NodeAgent.Rendering(
                Responder.OF_SHARE,
                files,
                FileWatch.NONE,
                "0",
                () -> Future.succeededFuture("deployment"),
                Optional.empty()),
            new FakeSupervisor(machine, loop("supervisor"), random),
            self));
  }

  /** Kills the agent, as when the machine loses its power. */
  void kill() {
    loops.forEach(world::kill);
    loops.clear();
  }
}
