package verwalter.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Fence;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.PeerSnapshot;
import verwalter.stores.cluster.StoreEnvironment;

/** Two cluster stores over a real server. */
class ClusterStoreOnServerTest {
  private static final int EACH = 100;

  @TempDir private Path directory;

  private final List<ClusterStore> open = new ArrayList<>();
  private ExecutorService executor;
  private ServerEnsemble ensemble;

  @BeforeEach
  void begin() throws IOException {
    executor = Executors.newFixedThreadPool(6);
    ensemble = new ServerEnsemble(Files.createDirectory(directory.resolve("server")));
  }

  @AfterEach
  void end() throws IOException {
    open.forEach(ClusterStore::close);
    ensemble.close();
    executor.shutdown();
  }

  private ClusterStore store(String name) throws IOException {
    var store =
        ClusterStore.open(
            directory.resolve(name),
            ensemble::open,
            () -> Future.<PeerSnapshot>failedFuture("there is no other elector"),
            new StoreEnvironment(
                ClusterOptions.DEFAULT,
                ensemble.loop(),
                executor,
                () -> 0.5,
                InstantSource.system(),
                () -> UUID.randomUUID().toString()));
    open.add(store);
    return store;
  }

  private <V> Future<V> done(Future<V> future) {
    ensemble.await(future::isComplete);
    return future;
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  @Test
  void contendedWritesOfTwoStoresAreAllThereOnce() throws IOException {
    var a = store("a");
    var b = store("b");
    var writes = new ArrayList<Future<?>>();
    for (int i = 0; i < EACH; i++) {
      writes.add(a.put(node("a" + i)));
      writes.add(b.put(node("b" + i)));
      if (i % 10 == 0) {
        done(writes.get(writes.size() - 1));
      }
    }
    writes.forEach(this::done);
    assertThat(writes).allMatch(Future::succeeded);
    ensemble.await(() -> a.revision() == 2 * EACH && b.revision() == 2 * EACH);
    assertThat(a.list(Node.KIND)).hasSize(2 * EACH).isEqualTo(b.list(Node.KIND));
    assertThat(a.problem()).isEmpty();
    assertThat(b.problem()).isEmpty();
  }

  @Test
  void restartedStoreContinuesWithItsCopy() throws IOException {
    var a = store("a");
    var b = store("b");
    for (int i = 0; i < 20; i++) {
      done(a.put(node("n" + i)));
    }
    ensemble.await(() -> a.durable() == 20 && b.durable() == 20);
    a.close();
    done(b.put(node("late")));
    var again = store("a");
    assertThat(again.list(Node.KIND)).hasSize(20);
    ensemble.await(() -> again.revision() == 21);
    assertThat(again.list(Node.KIND)).isEqualTo(b.list(Node.KIND));
    assertThat(done(again.put(node("own"))).succeeded()).isTrue();
  }

  @Test
  void writeOfAnEarlierEpochIsRefused() throws IOException {
    var a = store("a");
    var b = store("b");
    long old = done(a.beginEpoch(0)).result();
    assertThat(done(b.beginEpoch(0)).result()).isGreaterThan(old);
    var late = done(a.commit(List.of(new Write.Put(node("x"))), Fence.epoch(old)));
    assertThat(late.cause()).isInstanceOf(StoreException.Fenced.class);
  }
}
