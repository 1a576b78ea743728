package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.StoreException;

/** Tests a store whose objects have reached the memory limit. */
class FullStoreTest {
  private static final Options ROOM_FOR_THREE = Options.DEFAULT.withBytes(6_400);

  @TempDir Path root = Path.of("");
  private final VirtualWorld world = new VirtualWorld(1);

  private LocalStore open() throws IOException {
    return LocalStore.open(root, ROOM_FOR_THREE, Runnable::run, world.clock(), world.uids());
  }

  private static Resource<Node.Spec, Node.Status> node(String name, int size) {
    var node = Resource.of(Node.KIND, name, new Node.Spec(false));
    return node.withMeta(node.meta().withAnnotations(Map.of("says", "x".repeat(size))));
  }

  @Test
  void growingWritesAreRefusedAndShrinkingOnesAreNot() throws IOException {
    try (var store = open()) {
      store.put(node("one", 1_000));
      var two = store.put(node("two", 1_000)).result();
      store.put(node("three", 1_000));

      assertThat(world.failure(store.put(node("four", 1_000))))
          .isInstanceOf(StoreException.Full.class)
          .hasMessageContaining("the limit is 6400; delete objects that are not needed");
      assertThat(store.list(Node.KIND)).extracting(Resource::name).doesNotContain("four");

      store.remove(two);
      assertThat(store.put(node("four", 1_000)).succeeded()).isTrue();
    }
  }

  @Test
  void itOpensWithMoreObjectsThanTheLimitAllows() throws IOException {
    try (var store =
        LocalStore.open(root, Options.DEFAULT, Runnable::run, world.clock(), world.uids())) {
      for (int i = 0; i < 10; i++) {
        store.put(node("n" + i, 1_000));
      }
    }
    try (var store = open()) {
      assertThat(store.list(Node.KIND)).hasSize(10);
      assertThat(world.failure(store.put(node("more", 10))))
          .isInstanceOf(StoreException.Full.class);
      var smaller = store.list(Node.KIND).get(0);
      assertThat(store.put(smaller.withMeta(smaller.meta().withAnnotations(Map.of()))).succeeded())
          .isTrue();
      for (var each : store.list(Node.KIND).subList(0, 8)) {
        assertThat(store.remove(each).succeeded()).isTrue();
      }
      assertThat(store.put(node("more", 10)).succeeded()).isTrue();
    }
  }
}
