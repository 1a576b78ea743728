package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

class ObjectCacheTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store =
      new MemoryStore(world.clock(), world.uids(), new HistoryLimit(4, 1 << 20));
  private final Loop loop = world.loop("cache");
  private final List<String> reported = new ArrayList<>();
  private Optional<ObjectCache<Node.Spec, Node.Status>> started = Optional.empty();

  private ObjectCache<Node.Spec, Node.Status> start() {
    loop.execute(
        () ->
            started =
                Optional.of(
                    ObjectCache.of(
                        store,
                        Node.KIND,
                        loop,
                        (before, after) ->
                            reported.add(
                                (before == null ? "-" : before.name())
                                    + ">"
                                    + (after == null ? "-" : after.name())),
                        () -> reported.add("complete"))));
    world.runFor(Duration.ofSeconds(1));
    return started.orElseThrow();
  }

  private void put(String name, boolean cordoned) {
    var spec = new Node.Spec(cordoned);
    world.await(
        store.put(
            store
                .get(Node.KIND, name)
                .map(each -> each.withSpec(spec))
                .orElseGet(() -> Resource.of(Node.KIND, name, spec))));
  }

  private void remove(String name) {
    world.await(store.remove(store.get(Node.KIND, name).orElseThrow()));
  }

  @Test
  void theListenerReceivesExistingObjectsAndThenEachChange() {
    put("a", false);
    var cache = start();
    assertThat(cache.complete()).isTrue();
    put("b", false);
    put("a", true);
    remove("b");
    world.runFor(Duration.ofSeconds(1));

    assertThat(reported).containsExactly("->a", "complete", "->b", "a>a", "b>-");
    assertThat(cache.objects()).containsExactly(store.get(Node.KIND, "a").orElseThrow());
    assertThat(cache.get("b")).isEmpty();
  }

  @Test
  void aCacheWithoutObjectsIsComplete() {
    assertThat(start().complete()).isTrue();
    assertThat(reported).containsExactly("complete");
  }

  @Test
  void aRestartedWatchRemovesVanishedObjectsAndReportsNoUnchangedOnes() {
    put("a", false);
    put("b", false);
    var cache = start();
    reported.clear();
    // More changes than the history holds, before the watcher's loop has a turn.
    store.remove(store.get(Node.KIND, "b").orElseThrow());
    for (int i = 0; i < 5; i++) {
      store.put(Resource.of(Node.KIND, "c" + i, new Node.Spec(false)));
    }
    world.runFor(Duration.ofSeconds(1));

    assertThat(reported).containsExactly("->c0", "->c1", "->c2", "->c3", "->c4", "b>-");
    assertThat(cache.get("b")).isEmpty();
    assertThat(cache.objects()).hasSize(6);
  }

  @Test
  void aClosedCacheReportsNothing() {
    var cache = start();
    cache.close();
    reported.clear();
    put("a", false);
    world.runFor(Duration.ofSeconds(1));
    assertThat(reported).isEmpty();
  }

  @Test
  void aCacheThatIsClosedEarlyNeverBegins() {
    put("a", false);
    loop.execute(
        () ->
            ObjectCache.of(
                    store,
                    Node.KIND,
                    loop,
                    (before, after) -> reported.add("changed"),
                    () -> reported.add("complete"))
                .close());
    world.runFor(Duration.ofSeconds(1));
    assertThat(reported).isEmpty();
  }

  @Test
  void aClosedCacheDoesNotBeginAgain() {
    var cache = start();
    cache.close();
    reported.clear();
    for (int i = 0; i < 9; i++) {
      put("c" + i, false);
    }
    world.runFor(Duration.ofSeconds(1));
    assertThat(reported).isEmpty();
    assertThat(cache.objects()).isEmpty();
  }

  @Test
  void itIsIncompleteUntilEveryObjectWasShown() {
    put("a", false);
    var complete = new ArrayList<Boolean>();
    var caches = new ArrayList<ObjectCache<Node.Spec, Node.Status>>();
    loop.execute(
        () ->
            caches.add(
                ObjectCache.of(
                    store,
                    Node.KIND,
                    loop,
                    (before, after) -> complete.add(caches.get(0).complete()),
                    () -> complete.add(caches.get(0).complete()))));
    world.runFor(Duration.ofSeconds(1));
    assertThat(complete).containsExactly(false, true);
  }

  @Test
  void anObjectCanBeLookedUpByItsName() {
    put("a", false);
    var cache = start();
    assertThat(cache.get("a")).isEqualTo(store.get(Node.KIND, "a"));
    assertThat(cache.get("b")).isEmpty();
  }

  @Test
  void itIsCompletedOnce() {
    start();
    store.put(Resource.of(Node.KIND, "x", new Node.Spec(false)));
    for (int i = 0; i < 9; i++) {
      store.put(Resource.of(Node.KIND, "c" + i, new Node.Spec(false)));
    }
    world.runFor(Duration.ofHours(1));
    assertThat(reported).containsOnlyOnce("complete").hasSize(11);
  }

  @Test
  void aClosedCacheIsNotWokenByChanges() {
    var cache = start();
    loop.execute(cache::close);
    world.runFor(Duration.ofSeconds(1));
    world.always(() -> assertThat(world.isOn(loop)).isFalse());
    put("a", false);
    world.runFor(Duration.ofSeconds(1));
    assertThat(cache.objects()).isEmpty();
  }
}
