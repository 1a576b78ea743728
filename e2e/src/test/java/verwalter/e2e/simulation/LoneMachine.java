package verwalter.e2e.simulation;

import java.util.function.Function;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.concurrent.Loop;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/** A machine without a cluster. Its only store has all objects, and its agent always leads. */
final class LoneMachine extends SimulatedCluster {
  /** The first name of the machine. */
  static final String NAME = "alone";

  private final FaultyStore store;

  /** Creates a machine whose store has faults, and whose agent has not started. */
  LoneMachine(long seed, Faults faults) {
    super(seed);
    var node = new SimulatedNode(this, NAME, "00", Alone::new);
    nodes.add(node);
    store = new FaultyStore(node.memory, world, faults);
  }

  SimulatedNode node() {
    return nodes.get(0);
  }

  @Override
  ObjectStore truth() {
    return node().memory;
  }

  /** Ends all faults. */
  void heal() {
    store.heal();
    schedulerBroken = false;
    node().files.broken.clear();
  }

  private final class Alone implements SimulatedNode.Wiring {
    private final SimulatedNode node;

    private Alone(SimulatedNode node) {
      this.node = node;
    }

    @Override
    public EpochStore store(Function<String, Loop> loops) {
      return new MasterStore(node, store);
    }

    @Override
    public Leadership leadership() {
      return new SingleLeadership(node.machineId, store.epoch());
    }

    @Override
    public Leases leases() {
      return new SingleLeases(node.machineId, world.clock());
    }
  }
}
