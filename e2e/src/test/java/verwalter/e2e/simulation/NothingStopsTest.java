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
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.stores.testkit.Faults;

/**
 * What ends no process: an object, its owner, a release or the whole store is missing, the
 * configuration cannot be read, templates are missing, somebody else than its writer removes an
 * object, or the clock jumps. Each case leaves the process alone while the agent runs and across
 * its restart, and a removed role is ended afterwards.
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
        List.of(Schedule.KIND),
        List.of(Node.KIND),
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

  static Stream<List<Kind<?, ?>>> kindsOfReleases() {
    return Stream.of(
        List.of(DeploymentRef.KIND),
        List.of(Artifact.KIND),
        List.of(DeploymentRef.KIND, Artifact.KIND),
        List.of(DeploymentRef.KIND, TemplateOutput.KIND),
        List.of(DeploymentRef.KIND, ProcessGroup.KIND),
        List.of(DeploymentRef.KIND, RoleInstance.KIND),
        List.of(
            DeploymentRef.KIND,
            Artifact.KIND,
            RoleInstance.KIND,
            TemplateOutput.KIND,
            ProcessGroup.KIND,
            NodeSchedule.KIND,
            Schedule.KIND,
            Node.KIND));
  }

  private static void assertReleaseUntouched(WebMachine web, Map<String, ?> before)
      throws IOException {
    assertUntouched(web.machine, before);
    assertThat(web.versions().values()).containsOnly("v1");
    assertThat(web.disk().releases).hasSize(1);
    web.removeRole();
    web.machine.runFor(Duration.ofMinutes(2));
    assertThat(web.node.machine.processes()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kindsOfReleases")
  void objectsOfAReleaseVanishWhileTheAgentRuns(List<Kind<?, ?>> kinds) throws IOException {
    var web = WebMachine.released(12);
    var before = web.node.machine.processes();

    forget(web.machine, kinds);

    assertReleaseUntouched(web, before);
  }

  @ParameterizedTest
  @MethodSource("kindsOfReleases")
  void objectsOfAReleaseVanishWhileTheAgentIsDown(List<Kind<?, ?>> kinds) throws IOException {
    var web = WebMachine.released(13);
    var before = web.node.machine.processes();

    web.machine.killAgent(web.node);
    forget(web.machine, kinds);
    web.node.startAgent();

    assertReleaseUntouched(web, before);
  }

  static Stream<Kind<?, ?>> removable() {
    return Stream.of(
        DeploymentRef.KIND, Artifact.KIND, TemplateOutput.KIND, NodeSchedule.KIND, Node.KIND);
  }

  /** Somebody else than its writer removes an object, which the API does not allow. */
  @ParameterizedTest
  @MethodSource("removable")
  void anObjectIsRemovedByAnother(Kind<?, ?> kind) throws IOException {
    var web = WebMachine.released(14);
    var before = web.node.machine.processes();

    web.node.lose(kind);

    assertReleaseUntouched(web, before);
  }

  @Test
  void theFilesOfTheReleaseVanish() throws IOException {
    var web = WebMachine.released(15);
    var before = web.node.machine.processes();

    web.disk().releases.clear();

    assertUntouched(web.machine, before);
    web.machine.killAgent(web.node);
    web.disk().releases.clear();
    web.disk().archives.clear();
    web.disk().missing.add(WebMachine.source("v1"));
    web.node.startAgent();
    assertUntouched(web.machine, before);
  }

  @Test
  void theConfigurationCannotBeRead() throws IOException {
    var machine = running();
    var before = machine.node().machine.processes();

    machine.runtimeLost = true;
    machine.touch("runtime");

    assertUntouched(machine, before);
    machine.runtimeLost = false;
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
