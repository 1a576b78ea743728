package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class IdentityChangeTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private int restarts;

  private MemoryStore objects() {
    return new MemoryStore(world.clock(), world.uids());
  }

  private void pass() {
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void aChangeIsNoticedThatIsWantedAfterASnapshotHasReplacedTheObjects() {
    var old = objects();
    var store = new RoutedStore(old, old);
    IdentityChange.start(
        world.loop("identity"),
        () -> restarts++,
        store,
        List.of(Node.KIND),
        () ->
            store
                .get(Node.KIND, "n1")
                .map(node -> new IdentityChange.Wanted("be n1", () -> Future.succeededFuture())));
    pass();
    var snapshot = objects();
    store.becomeCluster(snapshot);
    pass();
    assertThat(restarts).isZero();

    world.await(snapshot.put(Resource.of(Node.KIND, "n1", new Node.Spec(false))));
    pass();

    assertThat(restarts).isEqualTo(1);
  }
}
