package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/** Tests the state computed from an instance's children. */
class InstanceStateTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final RoleInstance.Spec SPEC =
      new RoleInstance.Spec("app", "alone", "app/v1", Optional.of("v1"), Map.of("a", 1L));

  private final Resource<RoleInstance.Spec, RoleInstance.Status> instance =
      Resource.of(RoleInstance.KIND, "app@alone", SPEC);

  private static ProcessSpec entry(int count) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, "image", "/c.yaml", count, Map.of(), List.of(), List.of());
  }

  private static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(
      Condition rendered, int count) {
    return Resource.of(TemplateOutput.KIND, "app@alone", InstancePlan.outputSpec(SPEC))
        .withStatus(
            TemplateOutput.Status.of(
                0,
                Optional.empty(),
                "",
                List.of(),
                List.of(new TemplateOutput.ProcessFile("app", Map.of("web", entry(count)))),
                List.of(rendered)));
  }

  private static Condition rendered() {
    return new Condition("Rendered", Condition.Truth.TRUE, "InPlace", "", 0, NOW);
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      int count, ProcessGroup.Slot... slots) {
    int running =
        (int)
            List.of(slots).stream()
                .filter(slot -> slot.state() == ProcessGroup.State.RUNNING)
                .count();
    return Resource.of(
            ProcessGroup.KIND,
            "app@alone",
            new ProcessGroup.Spec("app", "alone", "app", Map.of("web", entry(count))))
        .withStatus(new ProcessGroup.Status(0, count, running, List.of(slots), List.of()));
  }

  private static ProcessGroup.Slot slot(ProcessGroup.State state, boolean failed, String reason) {
    return new ProcessGroup.Slot(
        "app/web.0",
        state,
        "image",
        Optional.empty(),
        Optional.empty(),
        0,
        failed
            ? Optional.of(new ProcessGroup.Exit(Optional.of(3), Optional.empty(), NOW, true))
            : Optional.empty(),
        Optional.empty(),
        reason,
        List.of());
  }

  private static Children children(
      Resource<TemplateOutput.Spec, TemplateOutput.Status> output,
      List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups) {
    return new Children(Optional.of(output), groups, List.of());
  }

  private InstanceState stateOf(Children children) {
    return InstanceState.of(instance, children);
  }

  @Test
  void anInstanceWithoutOutputIsRendering() {
    assertThat(stateOf(new Children(Optional.empty(), List.of(), List.of())).state())
        .isEqualTo(State.RENDERING);
  }

  @Test
  void aFailedRenderingMakesTheInstanceBroken() {
    var failed =
        new Condition(
            "Rendered", Condition.Truth.FALSE, "RenderFailed", "a.j2:3: no such variable", 0, NOW);
    assertThat(stateOf(children(output(failed, 1), List.of())))
        .isEqualTo(new InstanceState(State.BROKEN, "a.j2:3: no such variable"));
  }

  @Test
  void aFailureOfAnOldSpecIsIgnored() {
    var failed = new Condition("Rendered", Condition.Truth.FALSE, "RenderFailed", "old", 0, NOW);
    var old =
        output(failed, 1)
            .withSpec(new TemplateOutput.Spec("app", "alone", "app/v1", Map.of("a", 2L)));
    assertThat(stateOf(children(old, List.of())).state()).isEqualTo(State.RENDERING);
  }

  @Test
  void anInstanceWithoutItsGroupIsBooting() {
    assertThat(stateOf(children(output(rendered(), 1), List.of())).state())
        .isEqualTo(State.BOOTING);
  }

  @Test
  void aGroupWithOtherProcessesIsBooting() {
    var running = slot(ProcessGroup.State.RUNNING, false, "");
    assertThat(stateOf(children(output(rendered(), 2), List.of(group(1, running)))).state())
        .isEqualTo(State.BOOTING);
  }

  @Test
  void anInstanceIsRunningOnceAllProcessesRun() {
    var running = slot(ProcessGroup.State.RUNNING, false, "");
    assertThat(stateOf(children(output(rendered(), 1), List.of(group(1, running)))))
        .isEqualTo(new InstanceState(State.RUNNING, ""));
  }

  @Test
  void aPastFailureOfARunningProcessIsIgnored() {
    var running = slot(ProcessGroup.State.RUNNING, true, "");
    assertThat(stateOf(children(output(rendered(), 1), List.of(group(1, running)))).state())
        .isEqualTo(State.RUNNING);
  }

  @Test
  void aProcessThatWaitsAfterAFailureMakesTheInstanceBroken() {
    var waiting = slot(ProcessGroup.State.WAITING, true, "exited with code 3");
    assertThat(stateOf(children(output(rendered(), 1), List.of(group(1, waiting)))))
        .isEqualTo(new InstanceState(State.BROKEN, "app/web.0: exited with code 3"));
  }

  @Test
  void aRefusedProcessMakesTheInstanceBroken() {
    var refused = slot(ProcessGroup.State.REFUSED, false, "tcp-ports");
    assertThat(stateOf(children(output(rendered(), 1), List.of(group(1, refused)))).state())
        .isEqualTo(State.BROKEN);
  }

  @Test
  void anInstanceIsBootingWhileOldProcessesStop() {
    var running = slot(ProcessGroup.State.RUNNING, false, "");
    var stopping = slot(ProcessGroup.State.STOPPING, false, "");
    assertThat(
            stateOf(children(output(rendered(), 1), List.of(group(1, running, stopping)))).state())
        .isEqualTo(State.BOOTING);
  }

  @Test
  void anInstanceWithoutProcessesIsHalted() {
    assertThat(stateOf(children(output(rendered(), 0), List.of(group(0)))).state())
        .isEqualTo(State.HALTED);
  }

  @Test
  void theReasonNamesTheRoleThatOwnsTheSandbox() {
    var foreign =
        Resource.of(
            ProcessGroup.KIND,
            "app@alone",
            new ProcessGroup.Spec("thief", "alone", "app", Map.of()));
    var state =
        stateOf(new Children(Optional.of(output(rendered(), 1)), List.of(), List.of(foreign)));
    assertThat(state.state()).isEqualTo(State.BROKEN);
    assertThat(state.reason()).contains("sandbox app").contains("thief");
  }

  @Test
  void sinceIsTheTimeAtWhichTheStateWasEntered() {
    var children = children(output(rendered(), 0), List.of(group(0)));
    var first = stateOf(children).status(instance, children, NOW);
    var later = stateOf(children).status(instance.withStatus(first), children, NOW.plusSeconds(9));
    assertThat(later).isEqualTo(first);
    assertThat(later.since()).isEqualTo(NOW);
  }
}
