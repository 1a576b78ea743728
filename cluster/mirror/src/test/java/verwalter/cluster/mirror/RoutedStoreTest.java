package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.cluster.mirror.Trial.event;
import static verwalter.cluster.mirror.Trial.instance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;

class RoutedStoreTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private final Trial trial = new Trial(1, "n1", "n2");
  private final MemoryStore cluster = new MemoryStore(trial.world.clock(), trial.world.uids());
  private final MemoryStore own = trial.site("n1").store;
  private final RoutedStore store = new RoutedStore(cluster, own);

  @Test
  void storesObjectsByTheScopeOfTheirKind() {
    trial.world.await(store.put(node("n1")));
    trial.world.await(store.put(instance("web", "n1")));
    assertThat(cluster.list(Node.KIND)).hasSize(1).isEqualTo(store.list(Node.KIND));
    assertThat(own.list(RoleInstance.KIND)).hasSize(1).isEqualTo(store.list(RoleInstance.KIND));
    assertThat(cluster.list(RoleInstance.KIND)).isEmpty();
    assertThat(store.revision(Node.KIND)).isEqualTo(cluster.revision());
    assertThat(store.revision(RoleInstance.KIND)).isEqualTo(own.revision());
  }

  @Test
  void refusesATransactionWithObjectsOfBothScopes() {
    var both =
        store.commit(List.of(new Write.Put(node("n1")), new Write.Put(instance("web", "n1"))));
    assertThat(trial.world.failure(both)).isInstanceOf(StoreException.Invalid.class);
    assertThat(cluster.list(Node.KIND)).isEmpty();
    assertThat(own.list(RoleInstance.KIND)).isEmpty();
  }

  @Test
  void fencesWritesOfALeaderByTheEpochOfTheCluster() {
    long epoch = trial.world.await(store.beginEpoch(5));
    assertThat(store.epoch()).isEqualTo(epoch).isEqualTo(cluster.epoch());
    assertThat(own.epoch()).isZero();
    var write = List.<Write>of(new Write.Put(event(1, "n1")));
    trial.world.await(store.commit(write, Fence.epoch(epoch)));
    var late = store.commit(List.of(new Write.Put(event(2, "n1"))), Fence.epoch(epoch - 1));
    assertThat(trial.world.failure(late)).isInstanceOf(StoreException.Fenced.class);
    assertThat(own.list(Event.KIND)).hasSize(1);
  }

  @Test
  void showsTheObjectsOfAllNodesWhileItLeads() {
    trial.world.await(store.put(instance("web", "n1")));
    trial.site("n2").put(instance("web", "n2"));
    trial.world.runFor(SOON);
    assertThat(store.list(RoleInstance.KIND)).hasSize(1);
    store.become(trial.mirrors.objects());
    assertThat(store.list(RoleInstance.KIND)).hasSize(2);
    assertThat(store.list(RoleInstance.KIND, new Selection.Node("n2"))).hasSize(1);
    assertThat(store.get(RoleInstance.KIND, "web@n2")).isPresent();
    store.become(own);
    assertThat(store.get(RoleInstance.KIND, "web@n2")).isEmpty();
  }

  @Test
  void writesToEveryNodeWhileItLeads() {
    trial.world.runFor(SOON);
    store.become(trial.mirrors.objects());
    var operators = AuthoredStore.of(store, Author.ofLeader(Writer.OPERATOR, store.epoch()));
    var there = trial.world.await(trial.site("n2").store.put(instance("web", "n2")));
    trial.world.runFor(SOON);
    var seen = store.get(RoleInstance.KIND, "web@n2").orElseThrow();
    var labelled = seen.withMeta(seen.meta().withLabels(java.util.Map.of("a", "b")));
    var written = trial.world.await(operators.put(labelled));
    assertThat(written).isEqualTo(store.get(RoleInstance.KIND, "web@n2").orElseThrow());
    assertThat(written.meta().uid()).isEqualTo(there.meta().uid());
    assertThat(
            trial.site("n2").store.get(RoleInstance.KIND, "web@n2").orElseThrow().meta().labels())
        .containsEntry("a", "b");
    trial.world.await(store.remove(written));
    assertThat(store.list(RoleInstance.KIND)).isEmpty();
  }

  @Test
  void endsTheWatchesOfNodeObjectsWhenTheirStoreIsExchanged() {
    trial.world.await(store.put(instance("web", "n1")));
    trial.world.runFor(SOON);
    var nodes = watched(RoleInstance.KIND, OptionalLong.empty());
    var roles = watched(Node.KIND, OptionalLong.empty());
    var closed = new ArrayList<String>();
    store
        .watch(RoleInstance.KIND, trial.world.loop("closed"), change -> closed.add(text(change)))
        .close();
    trial.world.runFor(SOON);
    store.become(trial.mirrors.objects());
    trial.world.runFor(SOON);
    assertThat(nodes).containsExactly("put web@n1", "mark", "end TooOld");
    assertThat(roles).containsExactly("mark");
    assertThat(closed).isEmpty();

    // The versions of the node's own store do not continue in the mirrors, nor the other way.
    var resumed = watched(RoleInstance.KIND, OptionalLong.of(own.revision()));
    long mirrored = trial.mirrors.objects().revision();
    trial.world.runFor(SOON);
    store.become(own);
    var back = watched(RoleInstance.KIND, OptionalLong.of(mirrored));
    trial.world.runFor(SOON);
    assertThat(resumed).containsExactly("end TooOld");
    assertThat(back).containsExactly("end TooOld");
  }

  @Test
  void keepsWatchesWhenTheStoreStaysTheSame() {
    var nodes = watched(RoleInstance.KIND, OptionalLong.empty());
    store.become(own);
    trial.world.runFor(SOON);
    trial.world.await(store.put(instance("web", "n1")));
    trial.world.runFor(SOON);
    assertThat(nodes).containsExactly("mark", "put web@n1");
  }

  private <S, T> List<String> watched(verwalter.model.Kind<S, T> kind, OptionalLong after) {
    var seen = new ArrayList<String>();
    store.watch(kind, after, trial.world.loop("watcher"), change -> seen.add(text(change)));
    return seen;
  }

  private static <S, T> String text(Change<S, T> change) {
    if (change instanceof Change.Put<S, T> put) {
      return "put " + put.resource().name();
    }
    if (change instanceof Change.Ended<S, T> ended) {
      return "end " + ended.reason().getClass().getSimpleName();
    }
    return change instanceof Change.Bookmark ? "mark" : "gone";
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }
}
