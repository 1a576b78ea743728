package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.Mirrors;
import verwalter.cluster.mirror.NodeFeed;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.MemoryStore;

class NodeMirrorsTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final List<String> tried = new ArrayList<>();
  private final MemoryStore own = objects();
  private final MemoryStore old = objects("n1", "n2", "n3", "n4");
  private final RoutedStore everything = new RoutedStore(old, own);
  private final NodeMirrors mirrors =
      new NodeMirrors(
          world.loop("mirrors"),
          new NodeMirrors.Network(
              (to, opened, failed) -> {
                tried.add(to);
                failed.accept("nobody answers");
              },
              (node, address) -> false),
          new MirrorPeer("n1", "1".repeat(32)),
          own,
          everything,
          1,
          world.clock(),
          () -> 0.5);

  private MemoryStore objects(String... nodes) {
    var store = new MemoryStore(world.clock(), world.uids());
    for (var name : nodes) {
      world.await(store.put(node(name)));
    }
    return store;
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  private void pass() {
    world.runFor(Duration.ofSeconds(1));
  }

  private Mirrors lead() {
    mirrors.begin(1);
    pass();
    return mirrors.leading().orElseThrow();
  }

  /** Connects a node without objects of its own. */
  private void connect(String name, Mirrors leading) {
    ObjectStore store = objects();
    var loop = world.loop(name);
    var feed = new NodeFeed(name, 1, store, store, loop, () -> 4);
    leading.connect(new MirrorPeer(name, name.substring(1).repeat(32)), loop, feed::opened);
    pass();
  }

  @Test
  void theMirrorOfANodeEndsThatWasRemovedAfterASnapshotHadReplacedTheObjects() {
    var leading = lead();
    connect("n2", leading);
    connect("n3", leading);
    connect("n4", leading);
    assertThat(leading.states()).containsOnlyKeys("n1", "n2", "n3", "n4");

    var snapshot = objects("n1", "n3", "n4");
    everything.becomeCluster(snapshot);
    pass();
    assertThat(leading.states()).containsOnlyKeys("n1", "n3", "n4");

    world.await(snapshot.remove(node("n3")));
    pass();
    assertThat(leading.states()).containsOnlyKeys("n1", "n4");
  }

  @Test
  void aLateReportOfAFormerLeaderLeavesTheMirrorOfTheLeaderConnected() {
    var leading = lead();
    mirrors.follow(Optional.of("10.0.0.2"));
    pass();
    assertThat(leading.states().get("n1").connected()).isTrue();
    assertThat(tried).isEmpty();
  }

  @Test
  void theLeaderThatWasReportedDuringATermIsFollowedAfterIt() {
    lead();
    mirrors.follow(Optional.of("10.0.0.2"));
    mirrors.end();
    pass();
    assertThat(tried).isNotEmpty().containsOnly("10.0.0.2");
  }

  @Test
  void nobodyIsFollowedAfterATermWithoutAReport() {
    mirrors.follow(Optional.of("10.0.0.2"));
    lead();
    tried.clear();
    mirrors.end();
    pass();
    assertThat(tried).isEmpty();
  }
}
