package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.StoreException;
import verwalter.stores.testkit.SmallDisk;

/** Tests a store on a real file system that is full. */
class FullDiskTest {
  private static final Options SHORT = Options.DEFAULT.withLogBytes(100_000);

  @TempDir Path root = Path.of("");
  private final VirtualWorld world = new VirtualWorld(1);
  private SmallDisk disk;

  @BeforeEach
  void mount() {
    disk = SmallDisk.on(root.resolve("disk"), 1024);
  }

  @AfterEach
  void unmount() {
    disk.close();
  }

  private LocalStore open() throws IOException {
    var at = disk.directory().resolve("store");
    return LocalStore.open(at, SHORT, Runnable::run, world.clock(), world.uids());
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    var node = Resource.of(Node.KIND, name, new Node.Spec(false));
    return node.withMeta(node.meta().withAnnotations(Map.of("says", "much ".repeat(400))));
  }

  /** Writes until the disk is full, and returns the acknowledged objects. */
  private List<Resource<Node.Spec, Node.Status>> writeUntilFull(LocalStore store) {
    var acknowledged = new ArrayList<Resource<Node.Spec, Node.Status>>();
    while (store.problem().isEmpty()) {
      store.put(node("n%04d".formatted(acknowledged.size()))).onSuccess(acknowledged::add);
    }
    return acknowledged;
  }

  @Test
  void aWriteFailsWithTheCauseAndReadsContinue() throws IOException {
    try (var store = open()) {
      var acknowledged = writeUntilFull(store);

      var failure = world.failure(store.put(node("more")));

      assertThat(failure)
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining(disk.directory().resolve("store").toRealPath().toString())
          .hasMessageContaining("the disk is full")
          .hasMessageContaining("free some space");
      assertThat(store.problem()).hasValueSatisfying(it -> assertThat(it).contains("full"));
      assertThat(acknowledged).hasSizeGreaterThan(50);
      assertThat(store.list(Node.KIND)).isEqualTo(acknowledged);
    }
  }

  @Test
  void acknowledgedWritesSurviveReopeningOnTheFullDisk() throws IOException {
    List<Resource<Node.Spec, Node.Status>> acknowledged;
    try (var store = open()) {
      acknowledged = writeUntilFull(store);
    }
    disk.fill();

    try (var store = open()) {
      assertThat(store.list(Node.KIND)).isEqualTo(acknowledged);
      assertThat(world.failure(store.put(node("more")))).hasMessageContaining("disk is full");
    }
  }

  @Test
  void writesContinueOnceThereIsSpaceWithoutReopening() throws IOException {
    List<Resource<Node.Spec, Node.Status>> all;
    try (var store = open()) {
      world.await(store.put(node("a")));
      disk.fill();
      all = writeUntilFull(store);
      disk.free();

      var later = world.await(store.put(node("z")));

      assertThat(store.problem()).isEmpty();
      all.add(later);
      assertThat(store.list(Node.KIND)).endsWith(later).hasSize(all.size() + 1);
    }
    try (var store = open()) {
      assertThat(store.list(Node.KIND)).hasSize(all.size() + 1).containsAll(all);
    }
  }

  @Test
  void aStoreThatCannotBeCreatedNamesItsDirectory() {
    disk.fill();

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be opened")
        .hasMessageContaining(disk.directory().toString())
        .hasMessageContaining("disk is full");
  }
}
