package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class ClusterRecoveryTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());

  private void node(String name, List<String> finalizers) {
    var node = Resource.of(Node.KIND, name, new Node.Spec(false));
    world.await(store.put(node.withMeta(node.meta().withFinalizers(finalizers))));
  }

  private List<String> removed() {
    return store
        .get(ClusterConfig.KIND, ClusterConfig.NAME)
        .flatMap(Resource::status)
        .orElse(ClusterConfig.Status.NONE_REMOVED)
        .removed()
        .stream()
        .map(ClusterConfig.Removal::node)
        .toList();
  }

  @Test
  void removesAndRevokesTheOtherNodes() {
    node("n1", List.of(Node.MEMBER));
    node("n2", List.of(Node.MEMBER));
    node("n3", List.of());
    node("n4", List.of(Node.MEMBER));
    world.await(store.remove(store.get(Node.KIND, "n4").orElseThrow()));
    long epoch = store.epoch();

    for (int time = 1; time <= 2; time++) {
      world.await(ClusterRecovery.finish(store, "n1", world.clock()));

      assertThat(store.list(Node.KIND)).extracting(Resource::name).containsExactly("n1");
      assertThat(store.get(Node.KIND, "n1").orElseThrow().meta().finalizers())
          .containsExactly(Node.MEMBER);
      assertThat(removed()).containsExactly("n2", "n3", "n4");
      assertThat(store.epoch()).isEqualTo(epoch + time);
    }
  }
}
