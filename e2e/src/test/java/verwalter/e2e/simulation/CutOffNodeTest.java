package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput;

/** Tests a node that does not reach the leader: an elector or an observer of four nodes. */
class CutOffNodeTest {
  /** Three electors and an observer, whose processes run. */
  static ElectedCluster settled(long seed) throws IOException {
    var cluster = new ElectedCluster(seed, 4, 3);
    cluster.roles.put("web", new Wanted("v1", 2));
    cluster.roles.put("api", new Wanted("v1", 1));
    cluster.begin();
    cluster.runFor(Duration.ofMinutes(1));
    ElectedClusterTest.assertSettled(cluster);
    return cluster;
  }

  /** A node that does not lead. */
  static SimulatedNode follower(ElectedCluster cluster, boolean elects) {
    return cluster.nodes.stream()
        .filter(node -> cluster.of(node).votes() == elects && !cluster.of(node).leads())
        .findFirst()
        .orElseThrow();
  }

  static void cutOff(ElectedCluster cluster, SimulatedNode node) {
    cluster.links.split(Set.of(node.machineId), cluster.machines());
  }

  /** Ends all cuts, and waits. */
  static void heal(ElectedCluster cluster) throws IOException {
    cluster.startAgents();
    cluster.links.heal();
    cluster.runFor(Duration.ofMinutes(2));
    ElectedClusterTest.assertSettled(cluster);
  }

  /** Restarts a node without a leader: the former one has ended, and the node reaches nobody. */
  static void restartAlone(ElectedCluster cluster, SimulatedNode node) throws IOException {
    cluster.killAgent(cluster.leader().orElseThrow());
    cluster.killAgent(node);
    cutOff(cluster, node);
    node.startAgent();
    cluster.runFor(Duration.ofSeconds(30));
  }

  /** A process that dies is reported and restarted, and an object that is lost is made again. */
  static void assertLooksAfterItsObjects(SimulatedNode node) {
    node.killProcess();
    node.lose(TemplateOutput.KIND);
    node.world.runFor(Duration.ofMinutes(1));

    assertThat(node.runningProcesses()).isEqualTo(node.cluster.wantedProcesses());
    assertThat(node.memory.list(TemplateOutput.KIND)).hasSameSizeAs(node.cluster.roles.keySet());
    assertThat(
            node.memory.list(ProcessGroup.KIND).stream()
                .flatMap(group -> group.status().orElseThrow().processes().stream())
                .map(ProcessGroup.Slot::restarts))
        .containsOnlyOnce(1L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeKeepsItsProcessesForAnHourAndThroughARestart(boolean elects) throws IOException {
    var cluster = settled(1);
    var node = follower(cluster, elects);
    var history = node.machine.history();
    cutOff(cluster, node);
    cluster.roles.put("web", new Wanted("v2", 1));
    cluster.roles.remove("api");
    cluster.touch("runtime");
    cluster.runFor(Duration.ofMinutes(5));
    assertThat(node.machine.history()).isEqualTo(history);

    cluster.killAgent(node);
    node.startAgent();
    cluster.killAgent(cluster.leader().orElseThrow());
    cluster.runFor(Duration.ofHours(1));
    assertThat(node.machine.history()).isEqualTo(history);

    heal(cluster);
  }

  /** Each role allows a longer silence before its processes are moved. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeIsSilentAndBackWithoutAnEffectOnItsProcesses(boolean elects) throws IOException {
    var cluster = settled(2);
    var node = follower(cluster, elects);
    var history = node.machine.history();
    for (int seconds : List.of(10, 30, 90)) {
      cutOff(cluster, node);
      cluster.runFor(Duration.ofSeconds(seconds));
      assertThat(silence(cluster, node).isPresent()).as("%d s", seconds).isEqualTo(seconds > 10);
      heal(cluster);
      assertThat(silence(cluster, node)).isEmpty();
    }
    assertThat(node.machine.history()).isEqualTo(history);
  }

  private static Optional<Long> silence(ElectedCluster cluster, SimulatedNode node) {
    return cluster
        .truth()
        .get(Node.KIND, node.name)
        .flatMap(Resource::status)
        .flatMap(Node.Status::silentSeconds);
  }

  /** The node's own objects are all that its controllers need. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeThatRestartsWithoutALeaderManagesItsProcesses(boolean elects) throws IOException {
    var cluster = settled(3);
    var node = follower(cluster, elects);
    restartAlone(cluster, node);

    assertLooksAfterItsObjects(node);

    heal(cluster);
  }

  /** A cut of one direction heals like a cut of both. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChangeReachesANodeAfterACutOfOneDirection(boolean elects) throws IOException {
    for (boolean up : List.of(true, false)) {
      var cluster = settled(4);
      var node = follower(cluster, elects).machineId;
      cluster.machines().stream()
          .filter(other -> !other.equals(node))
          .forEach(other -> cluster.links.cut(up ? node : other, up ? other : node));
      cluster.roles.put("web", new Wanted("v2", 2));
      cluster.touch("runtime");
      cluster.runFor(Duration.ofMinutes(3));

      heal(cluster);
    }
  }
}
