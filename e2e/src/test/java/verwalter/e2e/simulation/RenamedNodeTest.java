package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.testkit.Faults;

/** Tests that a renamed machine is the same node and keeps its processes. */
class RenamedNodeTest {
  private static SimulatedNode running(long seed) throws IOException {
    var node = new LoneMachine(seed, Faults.NONE).node();
    node.cluster.roles.putAll(Map.of("web", new Wanted("v1", 3), "api", new Wanted("v2", 2)));
    node.startAgent();
    node.world.runFor(Duration.ofMinutes(1));
    assertThat(node.runningProcesses()).isEqualTo(node.cluster.wantedProcesses());
    return node;
  }

  private static void rename(SimulatedNode node, String name) throws IOException {
    node.killAgent();
    node.name = name;
    node.startAgent();
  }

  private static <S, T> List<String> names(SimulatedNode node, Kind<S, T> kind) {
    return node.memory.list(kind).stream().map(Resource::name).toList();
  }

  private static void assertCalled(SimulatedNode node, String name) {
    assertThat(names(node, Node.KIND)).containsExactly(name);
    assertThat(names(node, NodeSchedule.KIND)).containsExactly(name);
    var roles = List.of("api@" + name, "web@" + name);
    assertThat(names(node, RoleInstance.KIND)).isEqualTo(roles);
    assertThat(names(node, TemplateOutput.KIND)).isEqualTo(roles);
    assertThat(names(node, ProcessGroup.KIND)).isEqualTo(roles);
    assertThat(node.files.files.keySet()).isEqualTo(node.wantedFiles());
    for (var instance : node.memory.list(RoleInstance.KIND)) {
      assertThat(instance.status().orElseThrow().state()).isEqualTo(RoleInstance.State.RUNNING);
    }
    var status = node.memory.get(Node.KIND, name).flatMap(Resource::status).orElseThrow();
    assertThat(status.facts()).containsEntry(Node.MACHINE_ID, node.machineId);
    assertThat(Condition.find(status.conditions(), ConditionType.READY))
        .hasValueSatisfying(ready -> assertThat(ready.isTrue()).isTrue());
  }

  @Test
  void renamingANodeRestartsNothing() throws IOException {
    for (long seed = 1; seed <= 20; seed++) {
      var node = running(seed);
      var history = node.machine.history();

      rename(node, "other");
      node.world.runFor(Duration.ofMinutes(2));

      assertThat(node.machine.history()).as("seed %d", seed).isEqualTo(history);
      assertThat(node.runningProcesses()).isEqualTo(node.cluster.wantedProcesses());
      assertCalled(node, "other");
      assertThat(node.memory.list(Event.KIND))
          .anyMatch(event -> event.spec().reason().equals(Reason.RENAMED.title()));
    }
  }

  @Test
  void renamingANodeRestartsNoProcessOfARelease() throws IOException {
    var web = WebMachine.released(21);
    var history = web.node.machine.history();

    rename(web.node, "other");
    web.machine.runFor(Duration.ofMinutes(2));

    assertThat(web.node.machine.history()).isEqualTo(history);
    assertThat(web.disk().history).hasSize(2);
    assertThat(names(web.node, DeploymentRef.KIND)).containsExactly("web@v1@main@g1.l0@other");
    var instance = web.node.memory.get(RoleInstance.KIND, "web@other").orElseThrow();
    assertThat(instance.status().orElseThrow().state()).isEqualTo(RoleInstance.State.RUNNING);
  }

  @Test
  void labelsAndTheCordonAreKept() throws IOException {
    var node = running(1);
    var before = node.memory.get(Node.KIND, "alone").orElseThrow();
    node.world.await(
        node.memory.put(
            before
                .withSpec(new Node.Spec(true))
                .withMeta(before.meta().withLabels(Map.of("rack", "r1")))));

    rename(node, "other");
    node.world.runFor(Duration.ofMinutes(1));

    var after = node.memory.get(Node.KIND, "other").orElseThrow();
    assertThat(after.spec().cordoned()).isTrue();
    assertThat(after.meta().labels()).containsEntry("rack", "r1");
  }

  @Test
  void aNodeMayBeRenamedBack() throws IOException {
    var node = running(1);
    var history = node.machine.history();
    for (var name : List.of("other", "alone", "third", "other")) {
      rename(node, name);
      node.world.runFor(Duration.ofMinutes(1));
      assertCalled(node, name);
    }
    assertThat(node.machine.history()).isEqualTo(history);
  }

  @Test
  void anAgentKilledDuringARenamingContinuesIt() throws IOException {
    for (int step = 1; step < 120; step++) {
      var node = running(step);
      var history = node.machine.history();
      rename(node, "other");
      for (int i = 0; i < step; i++) {
        node.world.step();
      }
      node.killAgent();
      node.startAgent();
      node.world.runFor(Duration.ofMinutes(2));

      assertThat(node.machine.history()).as("step %d", step).isEqualTo(history);
      assertCalled(node, "other");
    }
  }

  @Test
  void processesKeepRunningIfTheSchedulerFailsAfterARenaming() throws IOException {
    var node = running(1);
    var history = node.machine.history();
    node.cluster.schedulerBroken = true;
    rename(node, "other");
    node.world.runFor(Duration.ofMinutes(5));

    assertThat(node.machine.history()).isEqualTo(history);
    assertThat(names(node, RoleInstance.KIND)).containsExactly("api@other", "web@other");

    node.cluster.schedulerBroken = false;
    node.touch("scheduler");
    node.world.runFor(Duration.ofMinutes(2));
    assertThat(node.machine.history()).isEqualTo(history);
    assertCalled(node, "other");
  }

  @Test
  void aNameOfAnotherMachineIsNotClaimed() throws IOException {
    var node = new LoneMachine(1, Faults.NONE).node();
    var theirs =
        Resource.of(Node.KIND, LoneMachine.NAME, new Node.Spec(false))
            .withStatus(
                new Node.Status(
                    1,
                    List.of(),
                    Map.of(Node.MACHINE_ID, "ff"),
                    new Node.Capacity(1, 1),
                    Optional.empty(),
                    new Node.Roles(0, 0, 0),
                    List.of()));
    node.world.await(node.memory.put(theirs));
    node.cluster.roles.put("web", new Wanted("v1", 3));
    node.startAgent();
    node.world.runFor(Duration.ofMinutes(5));

    var present = node.memory.get(Node.KIND, LoneMachine.NAME).orElseThrow();
    assertThat(Node.machineId(present)).contains("ff");
    assertThat(present.meta().uid()).isNotEmpty();
    assertThat(node.runningProcesses()).isEmpty();
    assertThat(node.memory.list(RoleInstance.KIND)).isEmpty();
    assertThat(node.memory.list(Event.KIND))
        .filteredOn(event -> event.spec().reason().equals(Reason.NAME_TAKEN.title()))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.spec().message())
                    .startsWith("the name alone belongs to the machine ff; the machine 00")
                    .endsWith("vw delete node alone"));

    node.world.await(node.memory.remove(present));
    node.world.runFor(Duration.ofMinutes(1));
    assertThat(node.runningProcesses()).isEqualTo(node.cluster.wantedProcesses());
    assertThat(Node.machineId(node.memory.get(Node.KIND, LoneMachine.NAME).orElseThrow()))
        .contains(node.machineId);
  }
}
