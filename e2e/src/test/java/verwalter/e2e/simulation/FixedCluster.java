package verwalter.e2e.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import verwalter.agent.NodeAgent;
import verwalter.client.testkit.NetworkFaults;
import verwalter.client.testkit.SimulatedNetwork;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.cluster.testkit.Election;
import verwalter.cluster.testkit.Heartbeats;
import verwalter.concurrent.Loop;
import verwalter.e2e.simulation.ObjectServer.Rights;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.Log;
import verwalter.stores.testkit.CountingStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/**
 * Machines with a leader that does not change. A single machine has one store for all objects. Of
 * several machines the first one leads: it has the store of the cluster, and the others use it over
 * a simulated network.
 */
final class FixedCluster extends SimulatedCluster {
  /** The name of a single machine. */
  static final String ALONE = "alone";

  final SimulatedNetwork network;

  /** The store of the cluster, or the only store of a single machine. */
  final CountingStore memory;

  /** The leader's store with faults. */
  final FaultyStore store;

  private final Election election;
  private final Heartbeats heartbeats;

  /** The log of the cluster's store. */
  private final SharedLog log = new SharedLog();

  private FixedCluster(long seed, Faults faults, NetworkFaults lines, List<String> names) {
    super(seed);
    network = new SimulatedNetwork(world, lines);
    election = new Election(world, 1);
    heartbeats = new Heartbeats(world);
    if (names.size() == 1) {
      nodes.add(new SimulatedNode(this, names.get(0), "00", faults, Alone::new));
      memory = leader().memory;
      store = leader().store;
      return;
    }
    memory = new CountingStore(engine(log));
    store = new FaultyStore(memory, world, faults);
    for (var name : names) {
      boolean leads = nodes.isEmpty();
      Function<SimulatedNode, SimulatedNode.Wiring> wiring =
          leads ? LeaderWiring::new : FollowerWiring::new;
      nodes.add(new SimulatedNode(this, name, "id-" + name, faults, wiring));
    }
  }

  private Engine engine(Log of) {
    var options = new EngineOptions(HistoryLimit.DEFAULT, 1 << 30);
    try {
      return Engine.open(of, options, Runnable::run, world.clock(), world.uids());
    } catch (IOException impossible) { // there is nothing to read
      throw new UncheckedIOException(impossible);
    }
  }

  /** Creates a single machine with the name {@code alone}. */
  static FixedCluster alone(long seed, Faults faults) {
    return new FixedCluster(seed, faults, NetworkFaults.NONE, List.of(ALONE));
  }

  /** Creates several machines, of which the first one leads. */
  static FixedCluster of(long seed, Faults faults, NetworkFaults lines, String... names) {
    return new FixedCluster(seed, faults, lines, List.of(names));
  }

  @Override
  EpochStore truth() {
    return memory;
  }

  SimulatedNode leader() {
    return nodes.get(0);
  }

  List<SimulatedNode> followers() {
    return nodes.subList(1, nodes.size());
  }

  /** A single machine with the only store, whose agent leads while it runs. */
  private record Alone(SimulatedNode node) implements SimulatedNode.Wiring {
    @Override
    public EpochStore store(Function<String, Loop> loops) {
      return ScopedStore.ofOne(node);
    }

    @Override
    public Leadership leadership() {
      return new SingleLeadership(node.machineId, node.store.epoch());
    }

    @Override
    public Leases leases() {
      return new SingleLeases(node.machineId, node.world.clock());
    }
  }

  /**
   * The machine with the store of the cluster, which serves the other machines while its agent
   * runs.
   */
  private final class LeaderWiring implements SimulatedNode.Wiring {
    private final SimulatedNode node;

    private LeaderWiring(SimulatedNode node) {
      this.node = node;
    }

    @Override
    public EpochStore store(Function<String, Loop> loops) {
      var loop = loops.apply("server");
      network.listen(
          node.name, loop, new ObjectServer(memory, log, node.memory, loop, Rights.OF_FOLLOWERS));
      return new ScopedStore(node, store, node.store, true);
    }

    @Override
    public void started(NodeAgent agent) {
      election.elect(node.machineId);
    }

    @Override
    public Leadership leadership() {
      return election.leadership(node.machineId);
    }

    @Override
    public Leases leases() {
      return heartbeats.leases(node.machineId);
    }
  }

  /** A machine that uses the cluster's store over the network. */
  private final class FollowerWiring implements SimulatedNode.Wiring {
    private final SimulatedNode node;

    private FollowerWiring(SimulatedNode node) {
      this.node = node;
    }

    @Override
    public EpochStore store(Function<String, Loop> loops) {
      var loop = loops.apply("remote");
      var transport = network.transport(node.name, loop, leader().name);
      var received = new ReceivedLog();
      var remote = new RemoteStore(loop, transport, node.name, received, engine(received));
      new MirrorSender(node.memory, remote, loops.apply("mirror"), node.name).start();
      return new ScopedStore(node, remote, node.store, false);
    }

    @Override
    public Leadership leadership() {
      return election.leadership(node.machineId);
    }

    @Override
    public Leases leases() {
      return heartbeats.leases(node.machineId);
    }
  }

  /** Kills the agent of a machine. */
  @Override
  void killAgent(SimulatedNode node) {
    node.killAgent();
    network.stop(node.name);
    if (nodes.size() > 1 && node == leader()) {
      election.resign();
    }
  }

  /** Disconnects a follower from the leader in both directions. */
  void cutOff(SimulatedNode follower) {
    network.partition(Set.of(leader().name), Set.of(follower.name));
    heartbeats.isolate(follower.machineId);
  }

  /** Ends all cuts. */
  void reconnect() {
    network.healAll();
    followers().forEach(follower -> heartbeats.rejoin(follower.machineId));
  }

  /** Ends all faults. */
  void heal() {
    network.become(NetworkFaults.NONE);
    reconnect();
    store.heal();
    nodes.forEach(node -> node.store.heal());
    nodes.forEach(node -> node.files.broken.clear());
    schedulerBroken = false;
  }

  /** Sends an action over a faulty connection. The same id is the same action. */
  void act(String id) {
    store.put(Resource.of(Action.KIND, id, new Action.Spec(Map.of("button", id), world.now())));
  }
}
