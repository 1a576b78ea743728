package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class ExternalElectorTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private int changes;

  private MemoryStore objects() {
    return new MemoryStore(world.clock(), world.uids());
  }

  private void pass() {
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void aChangeOfTheNodesIsNoticedAfterASnapshotHasReplacedTheObjects() {
    var old = objects();
    var store = new RoutedStore(old, old);
    var elector =
        new ExternalElector(
            store, world.loop("elector"), "n1", "1".repeat(32), new Elector(1, "10.0.0.1", 2));
    elector.watch(() -> changes++);
    pass();
    var snapshot = objects();
    store.becomeCluster(snapshot);
    pass();
    changes = 0;

    world.await(snapshot.put(Resource.of(Node.KIND, "n1", new Node.Spec(false))));
    pass();

    assertThat(changes).isEqualTo(1);
  }
}
