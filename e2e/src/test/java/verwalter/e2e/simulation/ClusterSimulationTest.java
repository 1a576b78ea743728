package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.client.testkit.NetworkFaults;
import verwalter.model.Action;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.Scope;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.testkit.Faults;

/**
 * Simulates three machines of which one leads, and injects random faults, including network faults.
 * After they end, exactly the right processes must run on each machine. A disconnected machine must
 * keep its processes. A failure names its seed; {@code -Dsimulation.seed=N} runs only that seed.
 */
class ClusterSimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.cluster.seeds", 100);
  private static final List<String> ROLES = List.of("api", "queue", "web");
  private static final List<String> VERSIONS = List.of("v1", "v2", "v3");

  /** Packets take from 1 to 80 ms, and some are lost or break their connection. */
  private static final NetworkFaults BAD_LINES =
      new NetworkFaults(Duration.ofMillis(1), Duration.ofMillis(80), 0.05, 0.002);

  @Test
  void everySeedEndsWithTheRightProcessesOnEachNode() throws IOException {
    var only = Optional.ofNullable(Long.getLong("simulation.seed"));
    for (long seed = only.orElse(1L); seed <= only.orElse((long) SEEDS); seed++) {
      try {
        run(seed);
      } catch (AssertionError failure) {
        throw new AssertionError(
            "seed %d failed; repeat it with -Dsimulation.seed=%d".formatted(seed, seed), failure);
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() throws IOException {
    assertThat(run(7)).isEqualTo(run(7));
  }

  private static long run(long seed) throws IOException {
    var cluster = FixedCluster.of(seed, Faults.HARSH, BAD_LINES, "one", "two", "three");
    cluster.startAgents();
    for (int step = 0; step < 30; step++) {
      injectFault(cluster);
      cluster.runFor(Duration.ofMillis(cluster.random.nextInt(3_000)));
    }
    cluster.heal();
    cluster.startAgents();
    cluster.runFor(Duration.ZERO);
    List.of("runtime", "scheduler", "templates").forEach(cluster::touch);
    cluster.runFor(Duration.ofMinutes(5));
    assertConverged(cluster);
    assertNoWrites(cluster);
    return cluster.world.trace();
  }

  /** Injects one random fault. */
  private static void injectFault(FixedCluster cluster) throws IOException {
    var random = cluster.random;
    var role = ROLES.get(random.nextInt(ROLES.size()));
    var node = cluster.nodes.get(random.nextInt(cluster.nodes.size()));
    var follower = cluster.followers().get(random.nextInt(cluster.followers().size()));
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> {
        var version = VERSIONS.get(random.nextInt(VERSIONS.size()));
        cluster.roles.put(role, new Wanted(version, random.nextInt(5)));
        cluster.touch("runtime");
      }
      case 3 -> {
        cluster.roles.remove(role);
        cluster.touch("runtime");
      }
      case 4 -> {
        cluster.schedulerBroken = !cluster.schedulerBroken;
        cluster.touch("scheduler");
      }
      case 5 -> {
        if (!node.files.broken.remove(role)) {
          node.files.broken.add(role);
        }
        node.touch("templates");
      }
      case 6, 7 -> node.killProcess();
      case 8, 9 -> {
        if (node.hasAgent()) {
          cluster.killAgent(node);
        } else {
          node.startAgent();
        }
      }
      case 10 -> node.lose(TemplateOutput.KIND);
      case 11 -> node.lose(ProcessGroup.KIND);
      case 12 -> node.lose(RoleInstance.KIND);
      case 13 -> cluster.cutOff(follower);
      case 14 -> cut(cluster, follower);
      default -> cluster.reconnect();
    }
  }

  /** Cuts one direction only. */
  private static void cut(FixedCluster cluster, SimulatedNode follower) {
    if (cluster.random.nextBoolean()) {
      cluster.network.cut(follower.name, cluster.leader().name);
    } else {
      cluster.network.cut(cluster.leader().name, follower.name);
    }
  }

  private static void assertConverged(FixedCluster cluster) {
    assertSettled(cluster);
    var schedule = cluster.memory.get(Schedule.KIND, Schedule.CURRENT).orElseThrow();
    for (var node : cluster.nodes) {
      var share = cluster.memory.get(NodeSchedule.KIND, node.name).orElseThrow();
      assertThat(share.spec().schedule()).isEqualTo(schedule.spec().hash());
    }
    for (var kind : Kinds.ALL) {
      assertThat(kind.scope() == Scope.CLUSTER || cluster.memory.list(kind).isEmpty())
          .as("followers receive no %s", kind)
          .isTrue();
    }
  }

  /** Each node does what its share says, which an older schedule may have said already. */
  private static void assertSettled(FixedCluster cluster) {
    for (var node : cluster.nodes) {
      assertThat(node.runningProcesses()).as(node.name).isEqualTo(cluster.wantedProcesses());
      assertThat(node.machine.processes()).hasSameSizeAs(cluster.wantedProcesses());
      assertThat(node.files.files.keySet()).isEqualTo(node.wantedFiles());
      assertThat(instances(node.memory, node)).containsExactlyElementsOf(cluster.roles.keySet());
      var share = cluster.memory.get(NodeSchedule.KIND, node.name).orElseThrow();
      assertThat(share.status().flatMap(NodeSchedule.Status::applied))
          .contains(share.spec().schedule());
      assertThat(
              cluster
                  .memory
                  .get(Node.KIND, node.name)
                  .flatMap(Resource::status)
                  .flatMap(Node.Status::schedule))
          .isEqualTo(Optional.of(share.spec().schedule()));
      // The leader has a mirror of the objects of each node.
      assertThat(instances(cluster.leader().memory, node))
          .containsExactlyElementsOf(cluster.roles.keySet());
    }
  }

  private static List<String> instances(ObjectStore store, SimulatedNode node) {
    return store.list(RoleInstance.KIND).stream()
        .filter(each -> each.spec().node().equals(node.name))
        .map(each -> each.spec().role())
        .toList();
  }

  /** Checks that nothing is written once nothing changes. */
  private static void assertNoWrites(FixedCluster cluster) {
    var before = writes(cluster);
    cluster.runFor(Duration.ofMinutes(2));
    assertThat(writes(cluster)).isEqualTo(before);
  }

  private static List<Object> writes(FixedCluster cluster) {
    var writes = new ArrayList<Object>();
    writes.add(cluster.memory.revision());
    for (var node : cluster.nodes) {
      writes.add(node.memory.revision());
      writes.add(node.machine.history());
    }
    return writes;
  }

  /** Nothing is stopped while the leader is unreachable. */
  @Test
  void aDisconnectedNodeKeepsItsProcesses() throws IOException {
    for (long seed = 1; seed <= 10; seed++) {
      var cluster = converged(seed);
      var cutOff = cluster.followers().get(0);
      cluster.cutOff(cutOff);
      cluster.runFor(Duration.ofMinutes(1));
      var history = cutOff.machine.history();

      cluster.roles.put("web", new Wanted("v2", 1));
      cluster.roles.remove("api");
      cluster.touch("runtime");
      cluster.runFor(Duration.ofMinutes(10));
      assertThat(cutOff.machine.history()).isEqualTo(history);

      cluster.killAgent(cutOff);
      cutOff.startAgent();
      cluster.killAgent(cluster.leader());
      cluster.runFor(Duration.ofHours(1));
      assertThat(cutOff.machine.history()).isEqualTo(history);

      cluster.startAgents();
      cluster.reconnect();
      cluster.runFor(Duration.ofMinutes(5));
      assertConverged(cluster);
    }
  }

  /** Clients repeat actions, and leaders end at any step between recording and applying them. */
  @Test
  void everyActionIsAppliedOnceAlthoughLeadersAreKilled() throws IOException {
    for (long seed = 1; seed <= 20; seed++) {
      var cluster = FixedCluster.of(seed, Faults.HARSH, BAD_LINES, "one", "two", "three");
      cluster.roles.put("web", new Wanted("v1", 2));
      cluster.startAgents();
      cluster.runFor(Duration.ofSeconds(20));
      var sent = new TreeMap<String, Object>();
      for (int i = 1; i <= 20; i++) {
        var id = String.valueOf(i);
        sent.put(id, 1L);
        for (int times = cluster.random.nextInt(3); times >= 0; times--) {
          cluster.act(id);
          steps(cluster, 40);
        }
        if (cluster.random.nextInt(3) > 0) {
          cluster.killAgent(cluster.leader());
          steps(cluster, 40);
          cluster.startAgents();
        }
        cluster.runFor(Duration.ofMillis(cluster.random.nextInt(2_000)));
      }
      cluster.heal();
      sent.keySet().forEach(cluster::act); // the answers may have been lost
      cluster.runFor(Duration.ofMinutes(5));
      assertThat(cluster.handledActions()).as("seed %d", seed).isEqualTo(sent);
      assertThat(cluster.memory.list(Action.KIND))
          .hasSameSizeAs(sent.keySet())
          .noneMatch(Action::pending);
    }
  }

  private static void steps(FixedCluster cluster, int most) {
    for (int left = cluster.random.nextInt(most); left > 0; left--) {
      cluster.world.step();
    }
  }

  /** A machine that is cut off for shorter than each role allows is not lost for any. */
  @Test
  void aNodeIsSilentAndBackWithoutAnEffectOnItsProcesses() throws IOException {
    for (long seed = 1; seed <= 10; seed++) {
      var cluster = converged(seed);
      var follower = cluster.followers().get(0);
      var history = follower.machine.history();
      for (int i = 0; i < 5; i++) {
        cluster.cutOff(follower);
        cluster.runFor(Duration.ofSeconds(10L + 20L * i));
        var silence = silence(cluster, follower);
        assertThat(silence.isPresent()).as("cut %d", i).isEqualTo(i > 0);
        cluster.reconnect();
        cluster.runFor(Duration.ofMinutes(4));
        assertThat(silence(cluster, follower)).isEmpty();
      }
      assertConverged(cluster);
      assertThat(follower.machine.history()).isEqualTo(history);
    }
  }

  private static Optional<Long> silence(FixedCluster cluster, SimulatedNode node) {
    return cluster
        .memory
        .get(Node.KIND, node.name)
        .flatMap(Resource::status)
        .flatMap(Node.Status::silentSeconds);
  }

  /** A process that fails on a disconnected node is restarted. */
  @Test
  void aDisconnectedNodeRestartsItsProcesses() throws IOException {
    var cluster = converged(3);
    var cutOff = cluster.followers().get(1);
    cluster.cutOff(cutOff);
    cluster.runFor(Duration.ofMinutes(1));

    cutOff.killProcess();
    cluster.runFor(Duration.ofMinutes(2));

    assertThat(cutOff.runningProcesses()).isEqualTo(cluster.wantedProcesses());
  }

  /** The node's own objects are all that its controllers need. */
  @Test
  void aNodeThatRestartsWithoutALeaderManagesItsProcesses() throws IOException {
    for (long seed = 1; seed <= 10; seed++) {
      var cluster = converged(seed);
      var follower = cluster.followers().get(0);
      cluster.killAgent(cluster.leader());
      cluster.killAgent(follower);
      cluster.cutOff(follower);
      follower.startAgent();
      cluster.runFor(Duration.ofSeconds(30));

      assertLooksAfterItsObjects(follower);

      cluster.startAgents();
      cluster.reconnect();
      cluster.runFor(Duration.ofMinutes(5));
      assertConverged(cluster);
    }
  }

  @Test
  void aNodeThatIsRenamedWithoutALeaderLooksAfterItsProcesses() throws IOException {
    for (long seed = 1; seed <= 10; seed++) {
      var cluster = converged(seed);
      var follower = cluster.followers().get(0);
      cluster.killAgent(cluster.leader());
      cluster.killAgent(follower);
      follower.name = "other";
      follower.startAgent();
      cluster.runFor(Duration.ofSeconds(30));

      assertLooksAfterItsObjects(follower);
      var history = follower.machine.history();

      cluster.startAgents();
      cluster.runFor(Duration.ofMinutes(5));
      assertSettled(cluster);
      assertThat(follower.machine.history()).isEqualTo(history);
      assertThat(cluster.memory.get(Node.KIND, "two")).isEmpty();
    }
  }

  /** A process that dies is reported, and an object that is lost is made again. */
  private static void assertLooksAfterItsObjects(SimulatedNode node) {
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

  /** Killed at any step of the renaming, with a leader or without one, it stops nothing. */
  @Test
  void aNodeThatIsKilledWhileItIsRenamedStopsNothing() throws IOException {
    for (int step = 1; step < 60; step++) {
      var cluster = converged(step);
      var follower = cluster.followers().get(0);
      var history = follower.machine.history();
      cluster.killAgent(follower);
      follower.name = "other";
      follower.startAgent();
      for (int i = 0; i < 8 * step; i++) {
        cluster.world.step();
      }
      cluster.killAgent(follower);
      cluster.killAgent(cluster.leader());
      follower.startAgent();
      cluster.runFor(Duration.ofMinutes(1));
      assertThat(follower.machine.history()).as("step %d", step).isEqualTo(history);

      cluster.startAgents();
      cluster.runFor(Duration.ofMinutes(5));
      assertSettled(cluster);
      assertThat(follower.machine.history()).as("step %d", step).isEqualTo(history);
    }
  }

  /** A cut of one direction heals like a cut of both. */
  @Test
  void aChangeReachesANodeAfterACutOfOneDirection() throws IOException {
    for (boolean up : List.of(true, false)) {
      var cluster = converged(4);
      var follower = cluster.followers().get(0).name;
      var leader = cluster.leader().name;
      cluster.network.cut(up ? follower : leader, up ? leader : follower);
      cluster.roles.put("web", new Wanted("v2", 2));
      cluster.touch("runtime");
      cluster.runFor(Duration.ofMinutes(3));

      cluster.reconnect();
      cluster.runFor(Duration.ofMinutes(3));

      assertConverged(cluster);
    }
  }

  private static FixedCluster converged(long seed) throws IOException {
    var cluster = FixedCluster.of(seed, Faults.NONE, NetworkFaults.NONE, "one", "two", "three");
    cluster.roles.put("web", new Wanted("v1", 2));
    cluster.roles.put("api", new Wanted("v1", 1));
    cluster.startAgents();
    cluster.runFor(Duration.ofMinutes(2));
    assertConverged(cluster);
    return cluster;
  }
}
