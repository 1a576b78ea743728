package verwalter.e2e.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.OptionalLong;
import verwalter.client.testkit.NetworkFaults;
import verwalter.client.testkit.SimulatedNetwork;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.ObjectStoreContract;

/**
 * Tests the store of a follower that may write everything. After a crash it reads the leader's log
 * again.
 */
class RemoteStoreTest extends ObjectStoreContract {
  private static final ObjectServer.Rights ALL =
      new ObjectServer.Rights() {
        @Override
        public boolean mayWrite(String node, Write write) {
          return true;
        }

        @Override
        public boolean mayLead(String node) {
          return true;
        }
      };

  private static final NetworkFaults FAST = new NetworkFaults(Duration.ZERO, Duration.ZERO, 0, 0);

  private SimulatedNetwork network = new SimulatedNetwork(world, FAST);
  private Engine replica = engine(new ReceivedLog(), 1);
  private int history;
  private int started;

  @Override
  protected EpochStore newStore(VirtualWorld in, int changes) {
    history = changes;
    network = new SimulatedNetwork(in, FAST);
    var log = new SharedLog();
    var loop = in.loop("server");
    var mirrors = new MemoryStore(in.clock(), in.uids());
    network.listen("leader", loop, new ObjectServer(engine(log, 1), log, mirrors, loop, ALL));
    return follower();
  }

  @Override
  protected EpochStore reopened(EpochStore store) {
    return follower();
  }

  private EpochStore follower() {
    var loop = world.loop("follower " + ++started);
    var log = new ReceivedLog();
    replica = engine(log, history);
    var line = network.transport("follower", loop, "leader");
    var remote = new RemoteStore(loop, line, "follower", log, replica);
    world.runUntil(remote::isReady, Duration.ofSeconds(10));
    return remote;
  }

  private Engine engine(Log log, int changes) {
    var options = new EngineOptions(new HistoryLimit(changes, 64 << 20), 1 << 30);
    try {
      return Engine.open(log, options, Runnable::run, world.clock(), world.uids());
    } catch (IOException impossible) { // there is nothing to read
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  protected OptionalLong visited(ObjectStore store) {
    return OptionalLong.of(replica.figures().visited());
  }
}
