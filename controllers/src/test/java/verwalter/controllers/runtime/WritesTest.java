package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

class WritesTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore memory = new MemoryStore(world.clock(), world.uids());
  private final FaultyStore faulty = new FaultyStore(memory, world, Faults.NONE);
  private final CountingStore store = new CountingStore(faulty);

  private static Node.Status status(int cpus) {
    return new Node.Status(
        1,
        List.of(),
        Map.of(),
        new Node.Capacity(cpus, 1),
        Optional.empty(),
        new Node.Roles(0, 0, 0),
        List.of());
  }

  private Resource<Node.Spec, Node.Status> node() {
    return store.get(Node.KIND, "n1").orElseThrow();
  }

  @Test
  void onlyADifferentStatusIsWritten() {
    world.await(store.put(Resource.of(Node.KIND, "n1", new Node.Spec(false))));
    world.await(Writes.status(store, node(), status(1)));
    assertThat(node().status()).contains(status(1));

    store.reset();
    world.await(Writes.status(store, node(), status(1)));
    assertThat(store.count(Node.KIND).asked()).isZero();
    world.await(Writes.status(store, node(), status(2)));
    assertThat(node().status()).contains(status(2));
  }

  @Test
  void aStatusThatCannotBeWrittenIsAFailure() {
    world.await(store.put(Resource.of(Node.KIND, "n1", new Node.Spec(false))));
    faulty.become(new Faults(1, 0, Duration.ZERO, Duration.ZERO));
    assertThat(world.failure(Writes.status(store, node(), status(1))))
        .isInstanceOf(IOException.class);
  }
}
