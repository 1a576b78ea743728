package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.stores.testkit.Faults;

/**
 * What ends no process: an object, its owner or the whole store is missing, templates are missing,
 * or the clock jumps. Each case leaves the process alone while the agent runs and across its
 * restart, and a removed role is ended afterwards.
 */
class NothingStopsTest {
  private static LoneMachine running() throws IOException {
    var machine = new LoneMachine(11, Faults.NONE);
    machine.roles.put("web", new Wanted("v1", 2));
    machine.node().startAgent();
    machine.runFor(Duration.ofMinutes(1));
    assertThat(machine.node().machine.processes()).hasSize(2);
    return machine;
  }

  private static void assertUntouched(LoneMachine machine, Map<String, ?> before)
      throws IOException {
    machine.runFor(Duration.ofMinutes(2));
    assertThat(machine.node().machine.processes()).isEqualTo(before);
    machine.killAgent(machine.node());
    machine.node().startAgent();
    machine.runFor(Duration.ofMinutes(2));
    assertThat(machine.node().machine.processes()).isEqualTo(before);
  }

  private static void assertRoleCanBeRemoved(LoneMachine machine) {
    machine.roles.clear();
    machine.touch("runtime");
    machine.runFor(Duration.ofMinutes(2));
    assertThat(machine.node().machine.processes()).isEmpty();
    for (var kind : List.of(RoleInstance.KIND, TemplateOutput.KIND, ProcessGroup.KIND)) {
      assertThat(machine.truth().list(kind)).as(kind.name()).isEmpty();
    }
  }

  static Stream<List<Kind<?, ?>>> kinds() {
    return Stream.of(
        List.of(RoleInstance.KIND),
        List.of(TemplateOutput.KIND),
        List.of(ProcessGroup.KIND),
        List.of(RoleInstance.KIND, TemplateOutput.KIND),
        List.of(RoleInstance.KIND, ProcessGroup.KIND),
        List.of(TemplateOutput.KIND, ProcessGroup.KIND),
        List.of(NodeSchedule.KIND),
        List.of(
            RoleInstance.KIND,
            TemplateOutput.KIND,
            ProcessGroup.KIND,
            NodeSchedule.KIND,
            Schedule.KIND,
            Node.KIND));
  }

  private static void forget(LoneMachine machine, List<Kind<?, ?>> kinds) {
    for (var kind : kinds) {
      if (kind.equals(Schedule.KIND)) {
        new ArrayList<>(machine.truth().list(Schedule.KIND))
            .forEach(each -> machine.world.await(machine.truth().remove(each)));
      } else {
        machine.node().forget(kind);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void objectsVanishWhileTheAgentRuns(List<Kind<?, ?>> kinds) throws IOException {
    var machine = running();
    var before = machine.node().machine.processes();

    forget(machine, kinds);

    assertUntouched(machine, before);
    assertRoleCanBeRemoved(machine);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void objectsVanishWhileTheAgentIsDown(List<Kind<?, ?>> kinds) throws IOException {
    var machine = running();
    var before = machine.node().machine.processes();

    machine.killAgent(machine.node());
    forget(machine, kinds);
    machine.node().startAgent();

    assertUntouched(machine, before);
    assertRoleCanBeRemoved(machine);
  }

  @Test
  void theTemplatesOfTheRoleAreBroken() throws IOException {
    var machine = running();
    var before = machine.node().machine.processes();

    machine.node().files.broken.add("web");
    machine.touch("templates");

    assertUntouched(machine, before);
    assertRoleCanBeRemoved(machine);
  }

  @Test
  void theClockJumps() throws IOException {
    var machine = running();
    var before = machine.node().machine.processes();

    for (var ahead : List.of(Duration.ofDays(400), Duration.ofDays(-400), Duration.ZERO)) {
      machine.node().setClock(ahead);
      assertUntouched(machine, before);
    }
    assertRoleCanBeRemoved(machine);
  }

  @Test
  void theSchedulerIsBroken() throws IOException {
    var machine = running();
    var before = machine.node().machine.processes();

    machine.schedulerBroken = true;
    machine.touch("scheduler");

    assertUntouched(machine, before);
  }
}
