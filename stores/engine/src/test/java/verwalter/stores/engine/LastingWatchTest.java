package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.LastingWatch;

/** Tests a lasting watch at a store that ends watches which are ten changes behind. */
class LastingWatchTest {
  private static final HistoryLimit SHORT = new HistoryLimit(10, 1 << 20);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids(), SHORT);
  private final List<String> received = new ArrayList<>();

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  private void pass() {
    world.runFor(Duration.ofSeconds(1));
  }

  private void receive(Change<Node.Spec, Node.Status> change) {
    if (change instanceof Change.Put<Node.Spec, Node.Status> put) {
      received.add("put " + put.resource().name());
    } else if (change instanceof Change.Removed<Node.Spec, Node.Status> gone) {
      received.add("gone " + gone.resource().name());
    } else if (change instanceof Change.Ended<Node.Spec, Node.Status>) {
      received.add("end");
    }
  }

  /** Writes more than the store remembers, before the watcher's loop runs. */
  private void endWatches() {
    world.await(store.put(node("b")));
    for (int i = 0; i < 20; i++) {
      store.remove(node("b"));
      store.put(node("b"));
    }
    received.clear();
  }

  @Test
  void beginsAgainWithAllObjectsAfterTheEnd() {
    store.put(node("a"));
    LastingWatch.of(store, Node.KIND, world.loop("w"), this::receive);
    pass();
    endWatches();
    pass();
    store.remove(node("a"));
    pass();
    assertThat(received).containsExactly("end", "put a", "put b", "gone a");
  }

  @Test
  void reportsARemovalRightAfterTheWatcherHasComparedWhatItKnowsWithTheStore() {
    store.put(node("a"));
    LastingWatch.of(
        store,
        Node.KIND,
        world.loop("w"),
        change -> {
          receive(change);
          if (change instanceof Change.Ended) {
            assertThat(store.get(Node.KIND, "a")).isPresent();
            store.remove(node("a")); // as another thread may do now
          }
        });
    pass();
    endWatches();
    pass();
    assertThat(received).containsSubsequence("end", "gone a");
  }

  @Test
  void reportsNothingAfterItWasClosed() {
    var watch = LastingWatch.of(store, Node.KIND, world.loop("w"), this::receive);
    pass();
    endWatches();
    watch.close();
    pass();
    assertThat(received).isEmpty();
  }
}
