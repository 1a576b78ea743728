package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.ClusterConfig;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class RevocationsTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final AtomicInteger checks = new AtomicInteger();

  private MemoryStore settings(int electors) {
    var store = new MemoryStore(world.clock(), world.uids());
    put(store, electors);
    return store;
  }

  private void put(MemoryStore store, int electors) {
    var spec = new ClusterConfig.Spec(electors, 600);
    var settings =
        store
            .get(ClusterConfig.KIND, ClusterConfig.NAME)
            .map(present -> present.withSpec(spec))
            .orElseGet(() -> Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, spec));
    world.await(store.put(settings));
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void connectionsAreCheckedAfterASnapshotHasReplacedTheObjectsAndAfterLaterRemovals() {
    var old = settings(1);
    var store = new RoutedStore(old, old);
    RevokedConnections.start(
        world.loop("revocations"),
        store,
        () -> {
          checks.incrementAndGet();
          return Set.of();
        });
    world.runFor(Duration.ofSeconds(1));

    var snapshot = settings(1);
    int before = checks.get();
    store.becomeCluster(snapshot);
    world.runFor(Duration.ofSeconds(1));
    assertThat(checks).hasValueGreaterThan(before);

    int replaced = checks.get();
    put(snapshot, 3);
    assertThat(checks).hasValueGreaterThan(replaced);
  }
}
