package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Node;
import verwalter.model.Resource;

/** Tests that a machine of a cluster that gets another name is the same node. */
class RenamedFollowerTest {
  private static final String NAME = "other";

  /** Creates the Node of the new name, as the leader does before it gives out its certificate. */
  private static void allow(ElectedCluster cluster, SimulatedNode node) {
    var leader = cluster.of(cluster.leader().orElseThrow()).store;
    var present = leader.get(Node.KIND, node.name).orElseThrow();
    var next = Resource.of(Node.KIND, NAME, present.spec());
    var meta = next.meta().withAnnotations(Map.of(Node.FORMER_NAMES, node.name));
    node.name = NAME; // schedulers see this name from now on
    cluster.world.await(leader.put(next.withMeta(meta).withStatus(present.status().orElseThrow())));
    cluster.runFor(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeThatIsRenamedWithoutALeaderLooksAfterItsProcesses(boolean elects) throws IOException {
    var cluster = CutOffNodeTest.settled(1);
    var node = CutOffNodeTest.follower(cluster, elects);
    var former = node.name;
    allow(cluster, node);
    CutOffNodeTest.restartAlone(cluster, node);

    CutOffNodeTest.assertLooksAfterItsObjects(node);
    var history = node.machine.history();

    CutOffNodeTest.heal(cluster);
    assertThat(node.machine.history()).isEqualTo(history);
    assertThat(cluster.truth().get(Node.KIND, former)).isEmpty();
  }

  /** Killed at any step of the renaming, with a leader or without one, it stops nothing. */
  @Test
  void aNodeThatIsKilledWhileItIsRenamedStopsNothing() throws IOException {
    for (int seed = 1; seed <= 12; seed++) {
      var cluster = CutOffNodeTest.settled(seed);
      var node = CutOffNodeTest.follower(cluster, seed % 2 == 0);
      var history = node.machine.history();
      allow(cluster, node);
      cluster.killAgent(node);
      node.startAgent();
      for (int left = 100 * seed; left > 0; left--) {
        cluster.world.step();
      }
      cluster.killAgent(node);
      cluster.leader().ifPresent(cluster::killAgent);
      node.startAgent();
      cluster.runFor(Duration.ofMinutes(1));
      assertThat(node.machine.history()).as("seed %d", seed).isEqualTo(history);

      CutOffNodeTest.heal(cluster);
      assertThat(node.machine.history()).as("seed %d", seed).isEqualTo(history);
    }
  }
}
