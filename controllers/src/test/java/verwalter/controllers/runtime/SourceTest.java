package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Selection;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

class SourceTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Loop loop = world.loop("source");
  private final List<String> named = new ArrayList<>();

  private Watch start(Source source) {
    var watch = source.start(loop, key -> named.add(key.name()));
    world.runFor(Duration.ofSeconds(1));
    return watch;
  }

  private void put(String name) {
    world.await(
        store.put(
            store
                .get(Node.KIND, name)
                .map(old -> old.withSpec(new Node.Spec(!old.spec().cordoned())))
                .orElseGet(() -> Resource.of(Node.KIND, name, new Node.Spec(false)))));
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void existingAndChangedAndRemovedObjectsAreNamed() {
    put("n1");
    start(Source.of(store, Node.KIND));
    assertThat(named).containsExactly("n1");

    put("n2");
    put("n1");
    world.await(store.remove(store.get(Node.KIND, "n2").orElseThrow()));
    world.runFor(Duration.ofSeconds(1));
    assertThat(named).containsExactly("n1", "n2", "n1", "n2");
  }

  @Test
  void aMappingNamesOtherKeys() {
    start(
        Source.of(
            store,
            Node.KIND,
            node -> Stream.of(new ResourceKey("X", "a"), new ResourceKey("X", node.name()))));
    put("n1");

    assertThat(named).containsExactly("a", "n1");
  }

  @Test
  void objectsOutsideTheSelectionAreNotNamed() {
    start(Source.of(store, Node.KIND, new Selection.Node("n1"), node -> Stream.of(node.key())));
    put("n1");
    put("n2");

    assertThat(named).containsExactly("n1");
  }

  @Test
  void aClosedSourceNamesNothing() {
    start(Source.of(store, Node.KIND)).close();
    put("n1");

    assertThat(named).isEmpty();
  }

  @Test
  void oneKeyIsNamedOnceAtTheStart() {
    var watch = start(Source.once(Node.KIND.key("n1")));
    watch.close();
    put("n1");

    assertThat(named).containsExactly("n1");
  }

  @Test
  void aSourceGoesOnAfterItWasTooSlow() {
    var small = new MemoryStore(world.clock(), world.uids(), new HistoryLimit(2, 1 << 20));
    Source.of(small, Node.KIND).start(loop, key -> named.add(key.name()));
    world.runFor(Duration.ofSeconds(1));
    for (int i = 0; i < 9; i++) {
      small.put(Resource.of(Node.KIND, "n" + i, new Node.Spec(false)));
    }
    world.runFor(Duration.ofSeconds(1));
    assertThat(named).contains("n0", "n8");
    named.clear();

    world.await(small.put(Resource.of(Node.KIND, "last", new Node.Spec(false))));
    world.runFor(Duration.ofSeconds(1));
    assertThat(named).containsExactly("last");
  }

  @Test
  void aSourceThatWasTooSlowAndIsClosedIsSilent() {
    var small = new MemoryStore(world.clock(), world.uids(), new HistoryLimit(2, 1 << 20));
    var watch = Source.of(small, Node.KIND).start(loop, key -> named.add(key.name()));
    world.runFor(Duration.ofSeconds(1));
    for (int i = 0; i < 9; i++) {
      small.put(Resource.of(Node.KIND, "n" + i, new Node.Spec(false)));
    }
    loop.execute(watch::close);
    world.runFor(Duration.ofSeconds(1));
    named.clear();
    world.await(small.put(Resource.of(Node.KIND, "last", new Node.Spec(false))));
    world.runFor(Duration.ofSeconds(1));
    assertThat(named).isEmpty();
  }

  @Test
  void aClosedSourceIsNotWokenByChanges() {
    var watch = start(Source.of(store, Node.KIND));
    loop.execute(watch::close);
    world.runFor(Duration.ofSeconds(1));
    world.always(() -> assertThat(world.isOn(loop)).isFalse());
    put("n1");
    assertThat(named).isEmpty();
  }
}
