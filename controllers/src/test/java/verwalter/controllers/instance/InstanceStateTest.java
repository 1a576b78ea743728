package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/** Tests the state computed from an instance's children. */
class InstanceStateTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final RoleInstance.Spec SPEC =
      new RoleInstance.Spec("app", "alone", "app/v1", Optional.of("v1"), Map.of("a", 1L));

  private static final TemplateOutput.Spec OUTPUT =
      new TemplateOutput.Spec("app", "alone", "app/v1", Map.of("a", 1L));
  private static final ReleaseRefs NO_RELEASES = new ReleaseRefs(List.of());

  private final Resource<RoleInstance.Spec, RoleInstance.Status> instance =
      Resource.of(RoleInstance.KIND, "app@alone", SPEC);

  private static ProcessSpec entry(int count) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, "image", "/c.yaml", count, Map.of(), List.of(), List.of());
  }

  private static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(
      Condition rendered, int count) {
    return Resource.of(TemplateOutput.KIND, "app@alone", OUTPUT)
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
        0,
        failed
            ? Optional.of(new ProcessGroup.Exit(Optional.of(3), Optional.empty(), NOW, true))
            : Optional.empty(),
        Optional.empty(),
        reason,
        List.of(),
        List.of());
  }

  private static Children children(
      Resource<TemplateOutput.Spec, TemplateOutput.Status> output,
      List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups) {
    return new Children(Optional.of(output), groups, List.of(), NO_RELEASES);
  }

  private InstanceState stateOf(Children children) {
    return InstanceState.of(instance, children);
  }

  @Test
  void anInstanceWithoutOutputIsRendering() {
    assertThat(stateOf(new Children(Optional.empty(), List.of(), List.of(), NO_RELEASES)).state())
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
  void eventsOfCrashLoopHaveTheSameMessage() {
    assertThat(
            List.of(
                announced("exited with code 255 after 0.1s; next start in 1s"),
                announced("exited with code 255 after 0.2s; next start in 16s (5 early exits)")))
        .containsOnly("app/web.0: exited with code 255");
    assertThat(announced("no such program; next start in 0.5s (2 early exits)"))
        .isEqualTo("app/web.0: no such program");
  }

  private String announced(String reason) {
    var waiting = slot(ProcessGroup.State.WAITING, true, reason);
    var children = children(output(rendered(), 1), List.of(group(1, waiting)));
    return stateOf(children).announcement(children);
  }

  @Test
  void eventOfRunningInstanceTellsTheNumberOfProcesses() {
    var running = slot(ProcessGroup.State.RUNNING, false, "");
    var children = children(output(rendered(), 1), List.of(group(1, running)));
    assertThat(stateOf(children)).isEqualTo(new InstanceState(State.RUNNING, ""));
    assertThat(stateOf(children).announcement(children)).isEqualTo("1 of 1 processes run");
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
        stateOf(
            new Children(
                Optional.of(output(rendered(), 1)), List.of(), List.of(foreign), NO_RELEASES));
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

  private static final ProcessGroup.Slot RUNNING = slot(ProcessGroup.State.RUNNING, false, "");

  private static Condition condition(String type, boolean truth, Reason reason, String message) {
    return new Condition(
        type,
        truth ? Condition.Truth.TRUE : Condition.Truth.FALSE,
        reason.title(),
        message,
        0,
        NOW);
  }

  /** A file of the sandbox, and the group as the process controller leaves it. */
  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> accepting(Condition accepted) {
    return group(1, RUNNING)
        .withStatus(new ProcessGroup.Status(0, 1, 1, List.of(RUNNING), List.of(accepted)));
  }

  @Test
  void anInstanceThatIsRemovedSaysWhatIsRemovedNow() {
    var deleting =
        instance.withMeta(
            instance.meta().committed("uid", 1, 1, Optional.of(NOW), Optional.of(NOW)));
    var running = children(output(rendered(), 1), List.of(group(1, RUNNING)));
    assertThat(InstanceState.of(deleting, running))
        .isEqualTo(new InstanceState(State.HALTING, "stopping its processes"));

    var stopped = children(output(rendered(), 1), List.of());
    assertThat(InstanceState.of(deleting, stopped))
        .isEqualTo(new InstanceState(State.HALTING, "removing its files"));
  }

  @Test
  void aRoleThatWaitsForAnotherIsNotBroken() {
    var waiting = condition("Rendered", false, Reason.WAITING, "needs db");
    assertThat(stateOf(children(output(waiting, 1), List.of())))
        .isEqualTo(new InstanceState(State.RENDERING, "needs db"));
  }

  @Test
  void whatIsRenderedIsNamedByItsTemplate() {
    var unknown = new Condition("Rendered", Condition.Truth.UNKNOWN, "Rendering", "", 0, NOW);
    assertThat(stateOf(children(output(unknown, 1), List.of())))
        .isEqualTo(new InstanceState(State.RENDERING, "rendering templates/app/v1"));
  }

  @Test
  void aServiceInOneFileHasNoDirectoryOfTemplates() {
    var spec = new RoleInstance.Spec("app", "alone", "", Optional.of("v1"), Map.of("a", 1L));
    var service = Resource.of(RoleInstance.KIND, "app@alone", spec);
    var children = new Children(Optional.empty(), List.of(), List.of(), NO_RELEASES);
    assertThat(InstanceState.of(service, children))
        .isEqualTo(
            new InstanceState(State.RENDERING, "making its files and its list of processes"));
  }

  @Test
  void aRenderingOfAnOlderSpecOrGenerationDoesNotCount() {
    var other =
        output(rendered(), 0)
            .withSpec(new TemplateOutput.Spec("app", "alone", "app/v1", Map.of("a", 2L)));
    assertThat(stateOf(children(other, List.of(group(0)))).state()).isEqualTo(State.RENDERING);

    var output = output(rendered(), 0);
    var newer =
        output.withMeta(output.meta().committed("uid", 1, 7, Optional.of(NOW), Optional.empty()));
    assertThat(stateOf(children(newer, List.of(group(0)))).state()).isEqualTo(State.RENDERING);
  }

  @Test
  void aGroupThatTheSupervisorHasNotSeenYetIsBooting() {
    var group = group(1, RUNNING);
    var newer =
        group.withMeta(group.meta().committed("uid", 1, 7, Optional.of(NOW), Optional.empty()));
    var booting = new InstanceState(State.BOOTING, "handing its processes to the supervisor");

    assertThat(stateOf(children(output(rendered(), 1), List.of(newer)))).isEqualTo(booting);
    assertThat(
            stateOf(
                children(
                    output(rendered(), 1),
                    List.of(Resource.of(ProcessGroup.KIND, "app@alone", group(1).spec())))))
        .isEqualTo(booting);
  }

  @Test
  void aGroupOfAnotherSandboxIsNotThatOfTheFile() {
    var other =
        Resource.of(
                ProcessGroup.KIND,
                "side@alone",
                new ProcessGroup.Spec("app", "alone", "side", Map.of("web", entry(1))))
            .withStatus(new ProcessGroup.Status(0, 1, 1, List.of(RUNNING), List.of()));
    assertThat(stateOf(children(output(rendered(), 1), List.of(other))).state())
        .isEqualTo(State.BOOTING);
  }

  @Test
  void processesThatTheSupervisorRefusesAreBroken() {
    var refused = condition("Accepted", false, Reason.REFUSED, "no such image");
    assertThat(stateOf(children(output(rendered(), 1), List.of(accepting(refused)))))
        .isEqualTo(new InstanceState(State.BROKEN, "no such image"));

    var accepted = condition("Accepted", true, Reason.ACCEPTED, "");
    assertThat(stateOf(children(output(rendered(), 1), List.of(accepting(accepted)))).state())
        .isEqualTo(State.RUNNING);
  }

  @Test
  void aProcessThatWaitsForItsFirstStartIsNoTrouble() {
    var waiting = slot(ProcessGroup.State.WAITING, false, "");
    assertThat(stateOf(children(output(rendered(), 1), List.of(group(1, waiting)))))
        .isEqualTo(new InstanceState(State.BOOTING, "0 of 1 processes run"));
  }

  @Test
  void aProcessThatWaitsAfterItWasStoppedIsNoTrouble() {
    var stopped =
        new ProcessGroup.Slot(
            "app/web.0",
            ProcessGroup.State.WAITING,
            "image",
            Optional.empty(),
            Optional.empty(),
            1,
            0,
            Optional.of(new ProcessGroup.Exit(Optional.of(0), Optional.empty(), NOW, false)),
            Optional.empty(),
            "",
            List.of(),
            List.of());
    assertThat(stateOf(children(output(rendered(), 1), List.of(group(1, stopped)))).state())
        .isEqualTo(State.BOOTING);
  }

  @Test
  void aReleaseThatIsHeldInPlaceIsTheReasonWhileItRuns() {
    var held = condition("Rendered", true, Reason.ROLLED_BACK, "release d1 is held");
    assertThat(stateOf(children(output(held, 1), List.of(group(1, RUNNING)))))
        .isEqualTo(new InstanceState(State.RUNNING, "release d1 is held"));

    var inPlace = condition("Rendered", true, Reason.IN_PLACE, "3 files");
    assertThat(stateOf(children(output(inPlace, 1), List.of(group(1, RUNNING)))))
        .isEqualTo(new InstanceState(State.RUNNING, ""));
  }

  @Test
  void theStatusCountsProcessesAndRestarts() {
    var restarted =
        new ProcessGroup.Slot(
            "app/web.1",
            ProcessGroup.State.RUNNING,
            "image",
            Optional.empty(),
            Optional.empty(),
            3,
            0,
            Optional.empty(),
            Optional.empty(),
            "",
            List.of(),
            List.of());
    var children = children(output(rendered(), 3), List.of(group(3, RUNNING, restarted)));
    var seen =
        instance.withMeta(
            instance.meta().committed("uid", 1, 7, Optional.of(NOW), Optional.empty()));
    var status = InstanceState.of(seen, children).status(seen, children, NOW);

    assertThat(status.observedGeneration()).isEqualTo(7);
    assertThat(status.desired()).isEqualTo(3);
    assertThat(status.running()).isEqualTo(2);
    assertThat(status.restarts()).isEqualTo(3);
    assertThat(status.reason()).isEqualTo("2 of 3 processes run");
  }

  @Test
  void aNewStateBeginsNow() {
    var halted = children(output(rendered(), 0), List.of(group(0)));
    var booting = children(output(rendered(), 1), List.of());
    var first = stateOf(halted).status(instance, halted, NOW);
    var later = NOW.plusSeconds(9);

    assertThat(stateOf(booting).status(instance.withStatus(first), booting, later).since())
        .isEqualTo(later);
  }

  @Test
  void eachStateHasAReasonOfTheConditionReady() {
    var children = children(output(rendered(), 0), List.of(group(0)));
    var reasons =
        Map.of(
            State.INITIAL, Reason.RENDERING,
            State.PREPARING, Reason.PREPARING,
            State.WAITING, Reason.MISSING_MEMORY,
            State.RENDERING, Reason.RENDERING,
            State.BOOTING, Reason.STARTING,
            State.BROKEN, Reason.BROKEN,
            State.HALTING, Reason.STOPPING,
            State.RUNNING, Reason.AS_WANTED,
            State.HALTED, Reason.AS_WANTED);
    for (var state : State.values()) {
      var ready =
          new InstanceState(state, "why").status(instance, children, NOW).conditions().get(0);
      boolean good = state == State.RUNNING || state == State.HALTED;
      assertThat(ready.type()).isEqualTo("Ready");
      assertThat(ready.isTrue()).as("%s", state).isEqualTo(good);
      assertThat(Optional.of(reasons.get(state)).map(Reason::title))
          .as("%s", state)
          .contains(ready.reason());
      assertThat(ready.message()).isEqualTo(good ? "" : "why");
    }
  }

  private Resource<RoleInstance.Spec, RoleInstance.Status> closed(Reason reason) {
    var running =
        new InstanceState(State.RUNNING, "")
            .status(instance, children(output(rendered(), 1), List.of()), NOW);
    var closed = Condition.ofFalse(ConditionType.ADMITTED, reason, "too little", 0, NOW);
    return instance.withStatus(running.admitted(List.of(closed), Optional.empty()));
  }

  @Test
  void anInstanceThatMayNotStartWaitsAndSaysWhy() {
    var nothing = new Children(Optional.empty(), List.of(), List.of(), NO_RELEASES);
    var halted = children(output(rendered(), 2), List.of(group(0)));
    for (var reason : List.of(Reason.MISSING_MEMORY, Reason.PRIORITY_HOLD, Reason.START_DELAYED)) {
      for (var children : List.of(nothing, halted)) {
        var state = InstanceState.of(closed(reason), children);
        assertThat(state).isEqualTo(new InstanceState(State.WAITING, "too little"));
        assertThat(
                Condition.find(
                        state.status(closed(reason), children, NOW).conditions(),
                        ConditionType.READY)
                    .map(Condition::reason))
            .contains(reason.title());
      }
    }
  }

  @Test
  void anInstanceWhoseNewVersionMayNotStartShowsTheOneThatRuns() {
    var next = new RoleInstance.Spec("app", "alone", "app/v1", Optional.of("v2"), Map.of());
    var waiting = closed(Reason.MISSING_MEMORY).withSpec(next);
    var spec = new TemplateOutput.Spec("app", "alone", "app/v1", Map.of("version", "v1"));
    var children = children(output(rendered(), 1).withSpec(spec), List.of(group(1, RUNNING)));

    var state = InstanceState.of(waiting, children);

    assertThat(state).isEqualTo(new InstanceState(State.PREPARING, "v2: too little"));
    assertThat(state.status(waiting, children, NOW).version()).contains("v1");
    assertThat(InstancePlan.output(waiting, children)).contains(spec);
  }

  private static ProcessGroup.Slot started(ProcessGroup.State state, Optional<Long> counter) {
    return new ProcessGroup.Slot(
        "app/web.0",
        state,
        "image",
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        "",
        List.of(),
        List.of(),
        counter);
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> asked(
      Optional<Long> counter, ProcessGroup.Slot... slots) {
    var group = group(slots.length, slots);
    var processes = Map.of("web", entry(slots.length).withRestartCounter(counter));
    return group.withSpec(new ProcessGroup.Spec("app", "alone", "app", processes));
  }

  private Optional<Long> restartCounter(
      Optional<Long> before, Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    var wanted = instance.withSpec(SPEC.withRestartCounter(Optional.of(2L)));
    var children = children(output(rendered(), 1), List.of(group));
    var last =
        new RoleInstance.Status(0, State.RUNNING, 1, 1, 0, NOW, "", List.of())
            .withCounters(before, Optional.empty());
    return InstanceState.of(wanted, children)
        .status(wanted.withStatus(last), children, NOW)
        .restartCounter();
  }

  @Test
  void aRestartIsTheReasonWhileItsProcessesStop() {
    var wanted = instance.withSpec(SPEC.withRestartCounter(Optional.of(2L)));
    var old = started(ProcessGroup.State.STOPPING, Optional.of(1L));
    var children = children(output(rendered(), 1), List.of(asked(Optional.of(2L), old)));

    assertThat(InstanceState.of(wanted, children))
        .isEqualTo(new InstanceState(State.BOOTING, "restarting its processes as requested"));
  }

  @Test
  void aRestartIsDoneWhenNoProcessIsOlderThanItsRequest() {
    var one = Optional.of(1L);
    var two = Optional.of(2L);
    var old = started(ProcessGroup.State.STOPPING, one);
    var fresh = started(ProcessGroup.State.WAITING, two);

    assertThat(restartCounter(one, asked(two, old, fresh))).isEqualTo(one);
    assertThat(restartCounter(one, asked(two, fresh, fresh))).isEqualTo(two);
    assertThat(restartCounter(one, asked(one, fresh))).as("not requested yet").isEqualTo(one);
    assertThat(restartCounter(one, asked(two))).as("nothing runs").isEqualTo(two);
    assertThat(restartCounter(Optional.of(3L), asked(two, old))).isEqualTo(Optional.of(3L));
  }
}
