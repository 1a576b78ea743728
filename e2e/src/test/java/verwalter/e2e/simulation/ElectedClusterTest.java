package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.NodeSchedule;

/**
 * Simulates agents that elect their leader, and injects random faults. After they end, one node
 * leads, all have the same objects, exactly the right processes run, and nothing is written any
 * more. A failure names its seed; {@code -Dsimulation.seed=N} runs only that seed.
 */
class ElectedClusterTest {
  private static final int SEEDS = Integer.getInteger("simulation.agents.seeds", 40);
  private static final long FIRST = Long.getLong("simulation.first", 1);

  @Test
  void everySeedEndsWithOneLeaderAndEveryAcknowledgedWrite() throws IOException {
    var only = Optional.ofNullable(Long.getLong("simulation.seed"));
    long acknowledged = 0;
    long kills = 0;
    for (long seed = only.orElse(FIRST);
        seed < only.map(it -> it + 1).orElse(FIRST + SEEDS);
        seed++) {
      var simulation = new ElectedSimulation(seed);
      try {
        simulation.run();
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError(
            "%s failed; repeat it with -Dsimulation.seed=%d".formatted(simulation, seed), failure);
      }
      acknowledged += simulation.acknowledged();
      kills += simulation.kills();
    }
    if (only.isEmpty()) {
      assertThat(acknowledged).isGreaterThan(SEEDS);
      assertThat(kills).isGreaterThan(SEEDS / 2);
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() throws IOException {
    assertThat(new ElectedSimulation(7).run()).isEqualTo(new ElectedSimulation(7).run());
  }

  @Test
  void threeAgentsElectALeaderAndAnotherOneWhenItIsKilled() throws IOException {
    var cluster = new ElectedCluster(1, 3, 3);
    cluster.roles.put("web", new Wanted("v1", 2));
    cluster.roles.put("api", new Wanted("v1", 1));
    cluster.begin();
    cluster.runFor(Duration.ofMinutes(1));
    assertThat(cluster.leaders()).as("%s", cluster.states()).hasSize(1);
    assertSettled(cluster);
    var histories = cluster.nodes.stream().map(node -> node.machine.history()).toList();

    var first = cluster.leader().orElseThrow();
    cluster.killAgent(first);
    cluster.runFor(Duration.ofSeconds(30));
    assertThat(cluster.leaders()).as("%s", cluster.states()).hasSize(1).doesNotContain(first);
    cluster.startAgents();
    cluster.runFor(Duration.ofMinutes(1));

    assertThat(cluster.leaders()).hasSize(1);
    assertSettled(cluster);
    assertThat(cluster.nodes.stream().map(node -> node.machine.history()).toList())
        .isEqualTo(histories);
  }

  /** An earlier leader, or a node that merges a fork, begins an epoch while the leader gathers. */
  @Test
  void aLeaderWhoseEpochPassesBeforeItsFirstDecisionBeginsAnotherOne() throws IOException {
    var cluster = new ElectedCluster(1, 3, 3);
    cluster.roles.put("web", new Wanted("v1", 2));
    cluster.begin();
    cluster.world.runUntil(
        () -> cluster.leaders().stream().anyMatch(node -> cluster.of(node).store.epoch() > 0),
        Duration.ofMinutes(1));
    var leader = cluster.leaders().get(0);
    var other = cluster.nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
    cluster.world.await(cluster.of(other).store.beginEpoch(0));
    cluster.runFor(Duration.ofMinutes(1));
    assertThat(cluster.leaders()).hasSize(1);
    assertSettled(cluster);
  }

  static void assertSettled(ElectedCluster cluster) {
    for (var node : cluster.nodes) {
      var what = node.name + " of " + cluster.states();
      assertThat(node.runningProcesses()).as(what).isEqualTo(cluster.wantedProcesses());
      assertThat(node.machine.processes()).as(what).hasSameSizeAs(cluster.wantedProcesses());
      assertThat(node.files.files.keySet()).as(what).isEqualTo(node.wantedFiles());
      var share = cluster.truth().get(NodeSchedule.KIND, node.name).orElseThrow();
      assertThat(share.status().flatMap(NodeSchedule.Status::applied))
          .as(what)
          .contains(share.spec().schedule());
    }
  }
}
