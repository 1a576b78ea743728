package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.testkit.Election;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class CurrentLeaderTest {
  private static final String SELF = "1".repeat(32);
  private static final String OTHER = "2".repeat(32);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore objects = new MemoryStore(world.clock(), world.uids());
  private final RoutedStore store = new RoutedStore(objects, objects);
  private final Election election = new Election(world, 0);
  private final CurrentLeader leader = new CurrentLeader(election.leadership(SELF), store, SELF);
  private int called;

  private void put(MemoryStore to, String name, String machine, String address) {
    var fresh =
        to.get(Node.KIND, name).orElseGet(() -> Resource.of(Node.KIND, name, new Node.Spec(false)));
    var status =
        new Node.Status(
            1,
            List.of(),
            Map.of(Node.MACHINE_ID, machine, StoredState.ADDRESSES, address),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    world.await(
        fresh.meta().version() == 0
            ? to.put(fresh.withStatus(status))
            : to.putStatus(fresh.withStatus(status)));
  }

  private void pass() {
    world.runFor(Duration.ofSeconds(1));
  }

  private void otherLeads() {
    election.leadership(OTHER).stand(world.loop("other"), new Silent());
    election.elect(OTHER);
    put(objects, "b", OTHER, "10.0.0.2:1");
    leader.watch(world.loop("here"), () -> called++);
    pass();
    called = 0;
  }

  /** A candidate that does nothing. */
  private static final class Silent implements verwalter.cluster.Leadership.Candidate {
    @Override
    public void lead(verwalter.cluster.Term term) {}

    @Override
    public io.vertx.core.Future<Void> stop() {
      return io.vertx.core.Future.succeededFuture();
    }
  }

  @Test
  void reportsANewAddressOfTheLeader() {
    otherLeads();
    put(objects, "b", OTHER, "10.0.0.3:1");
    pass();
    assertThat(called).isEqualTo(1);
    assertThat(leader.addressElsewhere()).contains("10.0.0.3:1");
  }

  @Test
  void isNotCalledForChangesOfOtherNodes() {
    otherLeads();
    put(objects, "c", "3".repeat(32), "10.0.0.4:1");
    pass();
    assertThat(called).isZero();
  }

  @Test
  void goesOnWatchingAfterASnapshotHasReplacedTheObjects() {
    otherLeads();
    var replaced = new MemoryStore(world.clock(), world.uids());
    put(replaced, "b", OTHER, "10.0.0.2:1");
    store.becomeCluster(replaced);
    pass();
    called = 0;
    put(replaced, "b", OTHER, "10.0.0.5:1");
    pass();
    assertThat(called).isEqualTo(1);
    assertThat(leader.addressElsewhere()).contains("10.0.0.5:1");
  }
}
