package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.stores.testkit.Faults;

/**
 * Injects random faults. After they end, exactly the right processes must run, nothing may be left
 * over, and the agent must stop writing. A failure names its seed; {@code -Dsimulation.seed=N} runs
 * only that seed.
 */
class AgentSimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 100);
  private static final List<String> ROLES = List.of("api", "queue", "web");
  private static final List<String> VERSIONS = List.of("v1", "v2", "v3");

  @Test
  void everySeedEndsWithTheRightProcessesAndNoWrites() throws IOException {
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
    var machine = new LoneMachine(seed, Faults.HARSH);
    var node = machine.node();
    node.startAgent();
    for (int step = 0; step < 30; step++) {
      injectFault(node);
      node.world.runFor(Duration.ofMillis(node.random.nextInt(3_000)));
    }
    heal(machine);
    node.world.runFor(Duration.ofMinutes(3));
    assertConverged(node);
    assertNoWrites(node);
    return node.world.trace();
  }

  /** Injects one random fault. */
  private static void injectFault(SimulatedNode node) throws IOException {
    var random = node.random;
    var role = ROLES.get(random.nextInt(ROLES.size()));
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        node.cluster.roles.put(
            role, new Wanted(VERSIONS.get(random.nextInt(VERSIONS.size())), random.nextInt(5)));
        node.touch("runtime");
      }
      case 3 -> {
        node.cluster.roles.remove(role);
        node.touch("runtime");
      }
      case 4 -> {
        node.cluster.schedulerBroken = !node.cluster.schedulerBroken;
        node.touch("scheduler");
      }
      case 5 -> {
        if (!node.files.broken.remove(role)) {
          node.files.broken.add(role);
        }
        node.touch("templates");
      }
      case 6, 7 -> node.killProcess();
      case 8 -> {
        if (node.hasAgent()) {
          node.killAgent();
        } else {
          node.startAgent();
        }
      }
      case 9 -> node.lose(TemplateOutput.KIND);
      case 10 -> node.lose(ProcessGroup.KIND);
      default -> node.lose(RoleInstance.KIND);
    }
  }

  private static void heal(LoneMachine machine) throws IOException {
    machine.heal();
    machine.startAgents();
    machine.runFor(Duration.ZERO);
    List.of("runtime", "scheduler", "templates").forEach(machine::touch);
  }

  private static void assertConverged(SimulatedNode node) {
    assertThat(node.runningProcesses()).isEqualTo(node.cluster.wantedProcesses());
    assertThat(node.machine.processes()).hasSameSizeAs(node.cluster.wantedProcesses());
    assertThat(node.files.files.keySet()).isEqualTo(node.wantedFiles());
    var instances = node.memory.list(RoleInstance.KIND);
    assertThat(instances.stream().map(each -> each.spec().role()))
        .containsExactlyElementsOf(node.cluster.roles.keySet());
    for (var instance : instances) {
      var status = instance.status().orElseThrow();
      boolean idle =
          node.cluster.roles.getOrDefault(instance.spec().role(), new Wanted("", 0)).count() == 0;
      assertThat(status.state())
          .as(instance.name() + ": " + status.reason())
          .isEqualTo(idle ? RoleInstance.State.HALTED : RoleInstance.State.RUNNING);
      assertThat(status.observedGeneration()).isEqualTo(instance.meta().generation());
    }
    assertThat(node.memory.list(ProcessGroup.KIND)).hasSameSizeAs(instances);
    assertThat(node.memory.list(TemplateOutput.KIND)).hasSameSizeAs(instances);
    var hash = node.memory.get(Schedule.KIND, Schedule.CURRENT).map(each -> each.spec().hash());
    assertThat(
            node.memory
                .get(Node.KIND, node.name)
                .flatMap(Resource::status)
                .flatMap(Node.Status::schedule))
        .isEqualTo(hash);
  }

  /** Checks that nothing is written once nothing changes. */
  private static void assertNoWrites(SimulatedNode node) {
    long revision = node.memory.revision();
    var history = node.machine.history().size();
    node.world.runFor(Duration.ofMinutes(2));
    assertThat(node.memory.revision()).isEqualTo(revision);
    assertThat(node.machine.history()).hasSize(history);
  }

  /**
   * Limits the writes of a change without faults, since wasted work is the only symptom of many
   * bugs.
   */
  @Test
  void aChangeCostsABoundedNumberOfWrites() throws IOException {
    var node = new LoneMachine(1, Faults.NONE).node();
    node.cluster.roles.put("web", new Wanted("v1", 3));
    node.startAgent();
    node.world.runFor(Duration.ofMinutes(1));
    assertConverged(node);
    long before = node.memory.revision();

    node.cluster.roles.put("web", new Wanted("v2", 3));
    node.touch("runtime");
    node.world.runFor(Duration.ofMinutes(1));

    assertConverged(node);
    assertThat(node.memory.revision() - before).isLessThanOrEqualTo(40);
  }

  @Test
  void aRestartedAgentChangesNothing() throws IOException {
    var node = new LoneMachine(2, Faults.NONE).node();
    node.cluster.roles.putAll(Map.of("web", new Wanted("v1", 3), "api", new Wanted("v2", 2)));
    node.startAgent();
    node.world.runFor(Duration.ofMinutes(1));
    assertConverged(node);
    var history = node.machine.history();

    node.killAgent();
    node.world.runFor(Duration.ofHours(1));
    node.startAgent();
    node.world.runFor(Duration.ofMinutes(1));

    assertConverged(node);
    assertThat(node.machine.history()).isEqualTo(history);
  }
}
