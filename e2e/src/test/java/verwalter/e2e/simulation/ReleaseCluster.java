package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.cluster.Term;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/**
 * Machines whose agents prepare releases, with one store for all objects. The first one leads. An
 * agent that is killed at a {@link CrashPoints point} is gone after the step.
 */
final class ReleaseCluster extends SimulatedCluster {
  private final Map<SimulatedNode, FaultySupervisor.Trouble> troubles = new HashMap<>();
  private final Map<SimulatedNode, FaultySupervisor> supervisors = new HashMap<>();
  private final Map<SimulatedNode, FaultyStore> stores = new HashMap<>();
  private final SimulationTrace trace;
  private Faults faults = Faults.NONE;
  private boolean lagged;

  ReleaseCluster(long seed, int size, SimulationTrace trace) {
    super(seed);
    this.trace = trace;
    for (int number = 0; number < size; number++) {
      var node = new SimulatedNode(this, "n" + number, "0" + number, Part::new);
      if (number > 0) {
        node.memory = nodes.get(0).memory;
      }
      var disk = new SimulatedReleases();
      node.releases = Optional.of(disk);
      node.machine.have(disk::has);
      var trouble = new FaultySupervisor.Trouble();
      troubles.put(node, trouble);
      node.supervision =
          (real, loop) -> {
            var faulty = new FaultySupervisor(real, loop, random, trouble, node.points);
            supervisors.put(node, faulty);
            return faulty;
          };
      nodes.add(node);
    }
    world.always(() -> nodes.forEach(this::bury));
  }

  /** Ends an agent that was killed in this step. */
  private void bury(SimulatedNode node) {
    var killed = node.points.killed();
    if (node.hasAgent() && killed.isPresent()) {
      trace.note(node.name + " is killed " + killed.get());
      killAgent(node);
    }
  }

  @Override
  ObjectStore truth() {
    return nodes.get(0).memory;
  }

  /** {@link ProcessRules} do. */
  @Override
  boolean judgesStops() {
    return false;
  }

  SimulatedReleases disk(SimulatedNode node) {
    return node.releases.orElseThrow();
  }

  /** What is wrong with the supervisor of a machine. */
  FaultySupervisor.Trouble trouble(SimulatedNode node) {
    return troubles.get(node);
  }

  /** Ends what is wrong with the supervisor of a machine. */
  void endTrouble(SimulatedNode node) {
    troubles.get(node).end();
    if (node.hasAgent()) {
      supervisors.get(node).recovered();
    }
  }

  /** Whether the reads of the store lag behind its writes. */
  boolean lags() {
    return lagged;
  }

  /** Changes the faults of the store, also for later agents. */
  void become(Faults next) {
    lagged |= !next.lag().isZero();
    faults = next;
    nodes.stream().filter(SimulatedNode::hasAgent).forEach(it -> stores.get(it).become(next));
  }

  /** Lets the watches of an agent begin again. */
  void breakWatches(SimulatedNode node) {
    if (node.hasAgent()) {
      stores.get(node).breakWatches();
    }
  }

  /** Ends all faults, and starts all agents. */
  void heal() throws IOException {
    schedulerBroken = false;
    become(Faults.NONE);
    for (var node : nodes) {
      endTrouble(node);
      disk(node).heal();
      node.files.broken.clear();
      node.points.disarm();
      node.setClock(Duration.ZERO);
    }
    startAgents();
    nodes.forEach(node -> node.points.disarm());
  }

  private final class Part implements SimulatedNode.Wiring {
    private final SimulatedNode node;

    private Part(SimulatedNode node) {
      this.node = node;
    }

    @Override
    public EpochStore store(Function<String, Loop> loops) {
      Optional.ofNullable(stores.get(node)).ifPresent(FaultyStore::heal);
      var mortal = new CrashingStore(node.memory, node.points);
      var faulty = new FaultyStore(mortal, world, faults);
      stores.put(node, faulty);
      return new MasterStore(node, faulty);
    }

    @Override
    public Leadership leadership() {
      return node == nodes.get(0)
          ? new SingleLeadership(node.machineId, node.memory.epoch())
          : new Following();
    }

    @Override
    public Leases leases() {
      return new SingleLeases(node.machineId, world.clock());
    }
  }

  /** The leadership of a node that never leads. */
  private static final class Following implements Leadership {
    @Override
    public Optional<Term> term() {
      return Optional.empty();
    }

    @Override
    public Watch watch(Loop loop, Listener listener) {
      loop.execute(() -> listener.changed(Optional.empty()));
      return () -> {};
    }

    @Override
    public Candidacy stand(Loop loop, Candidate candidate) {
      return Future::succeededFuture;
    }
  }
}
