package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

class FaultsTest {
  private final VirtualWorld world = new VirtualWorld(3);
  private final MemoryStore real = new MemoryStore(world.clock(), world.uids());

  private FaultyStore store(Faults faults) {
    return new FaultyStore(real, world, faults);
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  @Test
  void aWriteLostBeforeItsEffectHasNoEffect() {
    var store = store(new Faults(1, 0, Duration.ofMillis(10), Duration.ZERO));
    assertThat(world.failure(store.put(node("a")))).hasMessageContaining("put Node/a");
    assertThat(real.get(Node.KIND, "a")).isEmpty();
  }

  @Test
  void aWriteLostAfterItsEffectHasAnEffect() {
    var store = store(new Faults(0, 1, Duration.ofMillis(10), Duration.ZERO));
    world.failure(store.put(node("a")));
    assertThat(real.get(Node.KIND, "a")).isPresent();
  }

  @Test
  void readsLagBehindWritesAndCatchUp() {
    var store = store(new Faults(0, 0, Duration.ZERO, Duration.ofSeconds(5)));
    assertThat(store.list(Node.KIND)).isEmpty();
    int behind = 0;
    for (int i = 0; i < 20; i++) {
      world.await(store.put(node("n" + i)));
      behind += store.get(Node.KIND, "n" + i).isEmpty() ? 1 : 0;
    }
    assertThat(behind).isGreaterThan(10);
    world.runFor(Duration.ofSeconds(10));
    assertThat(store.list(Node.KIND)).isEqualTo(real.list(Node.KIND)).hasSize(20);
  }

  @Test
  void aReportedChangeIsVisibleToReads() {
    var store = store(Faults.HARSH);
    var received = new ArrayList<Long>();
    store.watch(
        Node.KIND,
        world.loop("watcher"),
        change -> {
          if (change instanceof Change.Put<Node.Spec, Node.Status> put) {
            var read = store.get(Node.KIND, put.resource().name()).orElseThrow();
            assertThat(read.meta().version()).isGreaterThanOrEqualTo(put.revision());
            received.add(put.revision());
          }
        });
    for (int i = 0; i < 100; i++) {
      store.put(node("n" + i));
      world.runFor(Duration.ofMillis(20));
    }
    world.runFor(Duration.ofSeconds(5));
    assertThat(received).isSorted().hasSize(real.list(Node.KIND).size());
  }

  @Test
  void aTransactionBecomesVisibleAsAWhole() {
    var store = store(Faults.SLOW);
    world.always(() -> assertThat(store.list(Node.KIND).size()).as("nodes to be seen").isIn(0, 2));
    world.await(store.commit(List.of(new Write.Put(node("a")), new Write.Put(node("b")))));
    world.runFor(Duration.ofSeconds(5));
    assertThat(store.list(Node.KIND)).hasSize(2);
  }

  @Test
  void aHealedStoreShowsAndReportsThePresentState() {
    var store = store(new Faults(0, 0, Duration.ZERO, Duration.ofHours(1)));
    var received = new ArrayList<Long>();
    store.watch(Node.KIND, OptionalLong.of(0), world.loop("w"), c -> received.add(c.revision()));
    for (int i = 0; i < 20; i++) {
      world.await(store.put(node("n" + i)));
    }
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).isEmpty();
    store.heal();
    assertThat(store.list(Node.KIND)).hasSize(20);
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).hasSize(20);
    store.become(Faults.SLOW);
    assertThat(store.list(Node.KIND)).hasSize(20);
  }

  @Test
  void brokenWatchesEndOnce() {
    var store = store(Faults.SLOW);
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    store.watch(Node.KIND, world.loop("watcher"), received::add);
    world.runFor(Duration.ofSeconds(1));
    store.breakWatches();
    world.await(store.put(node("a")));
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).hasSize(2);
    assertThat(received.get(1)).isInstanceOf(Change.Ended.class);
  }

  @Test
  void theSameSeedGivesTheSameFaults() {
    assertThat(run(5)).isEqualTo(run(5)).isNotEqualTo(run(6));
  }

  private static long run(long seed) {
    var world = new VirtualWorld(seed);
    var real = new MemoryStore(world.clock(), world.uids());
    var store = new FaultyStore(real, world, Faults.HARSH);
    for (int i = 0; i < 50; i++) {
      store.put(node("n" + i)).onComplete(done -> world.observe(done.succeeded()));
    }
    world.runFor(Duration.ofSeconds(10));
    return world.trace();
  }

  @Test
  void writesAreCountedByKindAndResult() {
    var store = new CountingStore(real);
    var a = world.await(store.put(node("a")));
    world.await(store.put(a));
    world.failure(store.put(node("a")));
    world.await(store.remove(a));
    assertThat(store.count(Node.KIND)).isEqualTo(new CountingStore.Count(4, 2, 1, 1));
    assertThat(store.total()).isEqualTo(store.count(Node.KIND));
    store.reset();
    assertThat(store.total()).isEqualTo(CountingStore.Count.NONE);
  }
}
