package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import verwalter.model.Action;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.engine.MemoryStore;

class ClusterImportTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicInteger uids = new AtomicInteger();
  private final MemoryStore node = store();
  private final MemoryStore cluster = store();

  private MemoryStore store() {
    return new MemoryStore(InstantSource.fixed(NOW), () -> "uid-" + uids.incrementAndGet());
  }

  private static Resource<Action.Spec, Action.Status> action() {
    var done = new Action.Status(1, Action.State.DONE, "abc", Optional.empty(), "", NOW);
    return Resource.of(Action.KIND, "7", new Action.Spec(Map.of("button", "restart"), NOW))
        .withStatus(done);
  }

  @Test
  void movesObjectsOfTheClusterWithTheirStatus() {
    node.beginEpoch(5);
    node.put(action());
    var machine = Resource.of(Node.KIND, "n1", new Node.Spec(true));
    node.put(
        machine.withMeta(
            machine.meta().withLabels(Map.of("zone", "a")).withFinalizers(List.of("x/y"))));
    node.put(
        Resource.of(
            RoleInstance.KIND,
            "web.n1",
            new RoleInstance.Spec("web", "n1", "", Optional.empty(), Map.of())));

    assertThat(ClusterImport.run(node, cluster).succeeded()).isTrue();

    assertThat(cluster.get(Action.KIND, "7").orElseThrow().status()).isEqualTo(action().status());
    var moved = cluster.get(Node.KIND, "n1").orElseThrow();
    assertThat(moved.spec().cordoned()).isTrue();
    assertThat(moved.meta().labels()).containsEntry("zone", "a");
    assertThat(moved.meta().finalizers()).containsExactly("x/y");
    assertThat(cluster.list(RoleInstance.KIND)).isEmpty();
    assertThat(cluster.epoch()).isEqualTo(6);
    assertThat(node.list(Action.KIND)).isEmpty();
    assertThat(node.list(Node.KIND)).isEmpty();
    assertThat(node.list(RoleInstance.KIND)).hasSize(1);
  }

  @Test
  void keepsWhatTheClusterHasAlready() {
    node.put(Resource.of(Node.KIND, "n1", new Node.Spec(false)));
    cluster.beginEpoch(9);
    cluster.put(Resource.of(Node.KIND, "n1", new Node.Spec(true)));

    assertThat(ClusterImport.run(node, cluster).succeeded()).isTrue();

    assertThat(cluster.get(Node.KIND, "n1").orElseThrow().spec().cordoned()).isTrue();
    assertThat(cluster.epoch()).isEqualTo(9);
    assertThat(node.list(Node.KIND)).isEmpty();
  }

  @Test
  void endsDeletionsInProgress() {
    var machine = Resource.of(Node.KIND, "n1", new Node.Spec(false));
    var held = node.put(machine.withMeta(machine.meta().withFinalizers(List.of("x/y")))).result();
    node.remove(held);
    assertThat(node.get(Node.KIND, "n1")).isPresent();

    assertThat(ClusterImport.run(node, cluster).succeeded()).isTrue();

    assertThat(node.list(Node.KIND)).isEmpty();
    assertThat(cluster.list(Node.KIND)).isEmpty();
  }

  @Test
  void withoutObjectsWritesNothing() {
    assertThat(ClusterImport.run(node, cluster).succeeded()).isTrue();
    assertThat(cluster.revision()).isZero();
  }
}
