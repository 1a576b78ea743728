package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
import verwalter.model.RoleInstance.Phase;
import verwalter.model.StartGrant;
import verwalter.model.StartPolicy;
import verwalter.model.TemplateOutput;
import verwalter.model.VersionImage;
import verwalter.model.VersionSettings;

/** Tests whether an instance may start, in each of its situations. */
class StartGateTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Optional<String> BOOT = Optional.of("boot-2");

  /** An instance, its children and what is around it, one part after the other. */
  private static final class Scene implements StartGate.Surroundings {
    private final String version;
    private StartPolicy policy = StartPolicy.NONE;
    private StartGrant grant = StartGrant.NONE;
    private Optional<Reason> closed = Optional.empty();
    private Optional<Phase> phase = Optional.empty();
    private Optional<RoleInstance.WantedRelease> release = Optional.empty();
    private Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output =
        Optional.empty();
    private List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups = List.of();
    private Optional<String> hold = Optional.empty();
    private boolean holdOver;
    private boolean delayOver;
    private Optional<String> refusal = Optional.empty();

    Scene(String version) {
      this.version = version;
    }

    Scene needing(long memory) {
      policy = new StartPolicy(policy.delaySeconds(), Optional.of(memory));
      return this;
    }

    Scene delayed(long seconds) {
      policy = new StartPolicy(seconds, policy.memory());
      return this;
    }

    Scene granted(StartGrant its) {
      grant = its;
      return this;
    }

    Scene closed(Reason reason) {
      closed = Optional.of(reason);
      return this;
    }

    Scene in(Phase its) {
      phase = Optional.of(its);
      return this;
    }

    /** Its release is not complete. */
    Scene preparing() {
      release =
          Optional.of(
              new RoleInstance.WantedRelease(
                  new VersionImage("http://files/a", Optional.empty()), 2));
      return in(Phase.PREPARE);
    }

    Scene refused() {
      refusal = Optional.of("too little");
      return this;
    }

    Scene held() {
      hold = Optional.of("a is first");
      return this;
    }

    Scene afterTheHold() {
      holdOver = true;
      return this;
    }

    Scene afterTheDelay() {
      delayOver = true;
      return this;
    }

    private static ProcessSpec process(int count) {
      return ProcessSpec.ofImage(
          ProcessSpec.Type.DAEMON, "image", "/c.yaml", count, Map.of(), List.of(), List.of());
    }

    /** The files of that version are in place, with so many processes. */
    Scene files(String of, int count, boolean rendered) {
      var variables = Map.<String, Object>of("version", of);
      var spec = new TemplateOutput.Spec("app", "n1", "app/v1", variables);
      output =
          Optional.of(
              Resource.of(TemplateOutput.KIND, "app@n1", spec)
                  .withStatus(
                      TemplateOutput.Status.of(
                          rendered ? 0 : -1,
                          Optional.empty(),
                          "",
                          List.of(),
                          List.of(
                              new TemplateOutput.ProcessFile("app", Map.of("web", process(count)))),
                          List.of(
                              Condition.ofTrue(
                                  ConditionType.RENDERED, Reason.IN_PLACE, "", 0, NOW)))));
      return this;
    }

    /** A group with so many wanted processes, and slots in these states. */
    Scene processes(int wanted, String boot, ProcessGroup.State... states) {
      int running =
          (int) List.of(states).stream().filter(it -> it == ProcessGroup.State.RUNNING).count();
      groups =
          List.of(
              Resource.of(
                      ProcessGroup.KIND,
                      "app@n1",
                      new ProcessGroup.Spec("app", "n1", "app", Map.of("web", process(wanted))))
                  .withStatus(
                      new ProcessGroup.Status(
                          0,
                          wanted,
                          running,
                          List.of(states).stream().map(Scene::slot).toList(),
                          List.of(),
                          Optional.of(boot))));
      return this;
    }

    Scene running(String of) {
      return files(of, 1, true).processes(1, "boot-2", ProcessGroup.State.RUNNING);
    }

    Scene halted(String of) {
      return files(of, 0, true).processes(0, "boot-2");
    }

    private static ProcessGroup.Slot slot(ProcessGroup.State state) {
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
          List.of());
    }

    Resource<RoleInstance.Spec, RoleInstance.Status> instance() {
      var spec =
          new RoleInstance.Spec(
                  "app", "n1", "app/v1", Optional.of(version), Map.of("version", version))
              .withPolicies(
                  new VersionSettings(Optional.empty(), Optional.empty(), Optional.of(policy)))
              .withRelease(release);
      var status =
          new RoleInstance.Status(
              0, RoleInstance.State.RUNNING, 1, 1, 0, Instant.EPOCH, "", conditions());
      return Resource.of(RoleInstance.KIND, "app@n1", spec)
          .withStatus(
              status
                  .admitted(conditions(), Optional.of(grant))
                  .with(
                      phase.map(
                          it ->
                              new RoleInstance.Replacement(
                                  it, Optional.empty(), Optional.empty(), false, NOW)),
                      Optional.empty()));
    }

    private List<Condition> conditions() {
      return closed.stream()
          .map(it -> Condition.ofFalse(ConditionType.ADMITTED, it, "why", 0, Instant.EPOCH))
          .toList();
    }

    StartGate gate() {
      return StartGate.of(
          instance(), new Children(output, groups, List.of(), new ReleaseRefs(List.of())), this);
    }

    Optional<Reason> reason() {
      return gate().obstacle().map(StartGate.Obstacle::reason);
    }

    @Override
    public Instant now() {
      return NOW;
    }

    @Override
    public Optional<String> boot() {
      return BOOT;
    }

    @Override
    public Optional<String> hold() {
      return hold;
    }

    @Override
    public boolean isHoldOver() {
      return holdOver;
    }

    @Override
    public Optional<String> refusal(long bytes) {
      return refusal.filter(any -> bytes > 0);
    }

    @Override
    public boolean isDelayOver() {
      return delayOver;
    }
  }

  private static StartGrant memory(long bytes) {
    return StartGrant.NONE.withMemory(bytes);
  }

  private static StartGrant booted(String boot) {
    return StartGrant.NONE.withBoot(Optional.of(boot));
  }

  @Test
  void aVersionWithoutAPolicyStarts() {
    assertThat(new Scene("v1").gate()).isEqualTo(new StartGate(Optional.empty(), StartGrant.NONE));
    assertThat(new Scene("v1").refused().reason()).isEmpty();
    assertThat(new Scene("v1").running("v1").gate().grant()).isEqualTo(booted("boot-2"));
  }

  @Test
  void memoryIsReservedBeforeTheFilesAreRendered() {
    assertThat(new Scene("v1").needing(5).gate())
        .isEqualTo(new StartGate(Optional.empty(), memory(5)));
    assertThat(new Scene("v1").needing(5).refused().gate())
        .isEqualTo(
            new StartGate(
                Optional.of(new StartGate.Obstacle(Reason.MISSING_MEMORY, "too little")),
                StartGrant.NONE));
    assertThat(new Scene("v1").needing(5).granted(memory(5)).refused().reason()).isEmpty();
  }

  @Test
  void whatWaitedForMemoryDoesNotStartWhileAnotherReleaseIsPrepared() {
    var waiting = new Scene("v1").needing(5).preparing().files("v1", 1, true);
    waiting.processes(0, "boot-2").refused();
    assertThat(waiting.reason()).as("its processes were not kept from starting").isEmpty();
    assertThat(waiting.closed(Reason.MISSING_MEMORY).reason()).contains(Reason.PREPARING);
    assertThat(waiting.closed(Reason.PREPARING).reason()).contains(Reason.PREPARING);
    assertThat(waiting.gate().grant().reserved()).isZero();
    assertThat(waiting.in(Phase.STOP).reason()).as("nothing waits in an exchange").isEmpty();
  }

  @Test
  void whatWaitedForMemoryDoesNotStartBeforeTheFilesOfTheNextReleaseAreChecked() {
    var unchecked = new Scene("v2").needing(1).in(Phase.PREPARE).files("v1", 1, true);
    unchecked.processes(0, "boot-2").closed(Reason.MISSING_MEMORY);
    assertThat(unchecked.reason()).contains(Reason.PREPARING);
    assertThat(unchecked.gate().grant().reserved()).isZero();
  }

  @Test
  void processesWhoseGroupsHaveVanishedDoNotWaitForFilesThatCannotBeChecked() {
    var lost = new Scene("v2").delayed(5).in(Phase.PREPARE).files("v1", 1, true);
    var delaying = StartGrant.NONE.delaying("v2", NOW);
    lost.granted(delaying).closed(Reason.START_DELAYED).afterTheDelay();
    assertThat(lost.reason()).isEmpty();
  }

  @Test
  void whatRunsTakesItsMemoryWhateverTheCapacity() {
    var gate = new Scene("v1").needing(5).running("v1").refused().gate();

    assertThat(gate.obstacle()).isEmpty();
    assertThat(gate.grant().memory()).contains(5L);
  }

  @Test
  void aVersionThatNeedsMoreThanTheRunningOneWaits() {
    var scene = new Scene("v2").needing(5).granted(memory(3)).running("v1");

    assertThat(scene.gate().grant().memory()).contains(5L);
    assertThat(scene.refused().reason()).contains(Reason.MISSING_MEMORY);
    assertThat(scene.gate().grant().memory()).contains(3L);
  }

  @Test
  void aLargerVersionWaitsAlsoIfTheFormerOneIsAboutToStart() {
    var scene = new Scene("v2").needing(5).granted(memory(3)).files("v1", 0, false).refused();

    assertThat(scene.reason()).contains(Reason.MISSING_MEMORY);
    assertThat(scene.granted(StartGrant.NONE).reason()).isEmpty();
  }

  @Test
  void memoryOfALargerVersionIsKeptUntilTheSmallerOneRuns() {
    var scene = new Scene("v2").needing(1).granted(memory(3));

    assertThat(scene.running("v1").gate().grant().memory()).contains(3L);
    assertThat(
            scene
                .files("v2", 1, true)
                .processes(1, "boot-2", ProcessGroup.State.WAITING)
                .gate()
                .grant()
                .memory())
        .contains(3L);
    assertThat(scene.running("v2").in(Phase.START).gate().grant().memory()).contains(3L);
    scene.phase = Optional.empty();
    assertThat(scene.gate().grant().memory()).contains(1L);
  }

  @Test
  void memoryIsGivenBackOnceNothingRunsAndNothingIsWanted() {
    var scene = new Scene("v1").needing(5).granted(memory(5));

    assertThat(scene.halted("v1").gate().grant().memory()).isEmpty();
    assertThat(scene.processes(0, "boot-2", ProcessGroup.State.STOPPING).gate().grant().memory())
        .contains(5L);
    assertThat(scene.halted("v1").files("v1", 0, false).gate().grant().memory()).contains(5L);
    assertThat(scene.halted("v1").in(Phase.PREPARE).gate().grant().memory()).contains(5L);
  }

  @Test
  void aHaltedInstanceWaitsOnceItsFilesHaveProcesses() {
    var scene = new Scene("v1").needing(5).halted("v1").refused();

    assertThat(scene.reason()).isEmpty();
    assertThat(scene.files("v1", 0, false).reason()).isEmpty();
    assertThat(scene.files("v1", 2, true).reason()).contains(Reason.MISSING_MEMORY);
    assertThat(scene.files("v1", 2, false).reason())
        .as("processes of an older rendering are handed over")
        .contains(Reason.MISSING_MEMORY);
    assertThat(scene.files("v1", 0, false).closed(Reason.MISSING_MEMORY).reason())
        .contains(Reason.MISSING_MEMORY);
  }

  @Test
  void anExchangeThatHasBegunDoesNotWait() {
    for (var phase : List.of(Phase.STOP, Phase.SWITCH)) {
      var scene = new Scene("v2").needing(5).delayed(9).held().refused().in(phase);
      assertThat(scene.files("v1", 1, true).processes(0, "boot-2").reason()).isEmpty();
    }
  }

  @Test
  void whatHasNotRunYetWaitsForWhatRanBefore() {
    assertThat(new Scene("v1").held().reason()).contains(Reason.PRIORITY_HOLD);
    assertThat(new Scene("v1").held().halted("v1").reason()).isEmpty();
    assertThat(new Scene("v1").held().halted("v1").files("v1", 1, true).reason())
        .contains(Reason.PRIORITY_HOLD);
    assertThat(new Scene("v1").held().needing(5).gate().grant().memory()).isEmpty();
  }

  @Test
  void whatRunsOrRanBeforeIsNotHeld() {
    assertThat(new Scene("v2").held().running("v1").reason()).isEmpty();
    var replaced = new Scene("v2").held().in(Phase.START).files("v2", 1, true);
    assertThat(replaced.granted(booted("boot-1")).processes(0, "boot-1").reason()).isEmpty();
  }

  @Test
  void whatRanBeforeIsAwaitedUntilItRunsOrFails() {
    var scene = new Scene("v1").granted(booted("boot-1")).files("v1", 1, true);
    var waiting = ProcessGroup.State.WAITING;

    assertThat(scene.processes(1, "boot-1", ProcessGroup.State.RUNNING).gate().grant())
        .as("not reported since then")
        .isEqualTo(booted("boot-1"));
    assertThat(scene.processes(1, "boot-2", waiting).gate().grant()).isEqualTo(booted("boot-1"));
    assertThat(scene.processes(1, "boot-2", ProcessGroup.State.RUNNING).gate().grant())
        .isEqualTo(booted("boot-2"));
    assertThat(scene.processes(1, "boot-2", ProcessGroup.State.REFUSED).gate().grant())
        .isEqualTo(booted("boot-2"));
    assertThat(scene.processes(1, "boot-2", waiting).afterTheHold().gate().grant())
        .isEqualTo(booted("boot-2"));
    assertThat(scene.halted("v1").gate().grant()).isEqualTo(StartGrant.NONE);
  }

  @Test
  void theFirstStartOfAVersionIsDelayedOnce() {
    var until = NOW.plus(Duration.ofSeconds(60));
    var scene = new Scene("v1").delayed(60);
    var delayed = StartGrant.NONE.delaying("v1", until);

    assertThat(scene.gate())
        .isEqualTo(
            new StartGate(
                Optional.of(
                    new StartGate.Obstacle(
                        Reason.START_DELAYED,
                        "its first start is delayed until 2026-01-02T03:05:05Z")),
                delayed));
    scene.granted(delayed).closed(Reason.START_DELAYED);
    assertThat(scene.files("v1", 0, false).reason()).contains(Reason.START_DELAYED);
    assertThat(scene.files("v1", 1, true).reason()).contains(Reason.START_DELAYED);
    assertThat(scene.files("v1", 0, true).reason()).isEmpty();
    assertThat(scene.files("v1", 1, true).afterTheDelay().gate())
        .isEqualTo(new StartGate(Optional.empty(), delayed.undelayed()));
    assertThat(scene.granted(delayed.undelayed()).gate().obstacle()).isEmpty();
  }

  @Test
  void theRunningVersionIsNotDelayed() {
    assertThat(new Scene("v1").delayed(60).running("v1").gate().grant().delayed()).isEmpty();
    assertThat(new Scene("v2").delayed(60).running("v1").reason()).contains(Reason.START_DELAYED);
  }

  @Test
  void aDelayBeginsOnceThereIsMemory() {
    assertThat(new Scene("v1").needing(5).delayed(60).refused().gate().grant())
        .isEqualTo(StartGrant.NONE);
  }

  @Test
  void aDelayThatIsNoLongerConfiguredEnds() {
    var delayed = StartGrant.NONE.delaying("v1", NOW);

    assertThat(new Scene("v1").granted(delayed).gate())
        .isEqualTo(new StartGate(Optional.empty(), delayed.undelayed()));
  }

  @Test
  void aVanishedRenderingOfWhatRunsDoesNotWait() {
    var scene = new Scene("v1").needing(5).delayed(60).refused().held();

    assertThat(scene.processes(1, "boot-2", ProcessGroup.State.RUNNING).reason()).isEmpty();
  }

  @Test
  void onlyAnotherGateIsStoredBeforeItIsActedOn() {
    assertThat(new Scene("v1").gate().isNews(new Scene("v1").instance())).isFalse();
    var running = new Scene("v1").running("v1");
    assertThat(running.gate().isNews(running.instance())).as("only the boot is new").isFalse();
    var refused = new Scene("v1").needing(5).refused();
    assertThat(refused.gate().isNews(refused.instance())).isTrue();
    assertThat(refused.gate().isNews(refused.closed(Reason.MISSING_MEMORY).instance())).isFalse();
    assertThat(refused.gate().isNews(refused.closed(Reason.PRIORITY_HOLD).instance())).isTrue();
    var granted = new Scene("v1").needing(5);
    assertThat(granted.gate().isNews(granted.instance())).isTrue();
  }

  @Test
  void theConditionIsAbsentUntilSomethingWasMissing() {
    var open = new Scene("v1");
    assertThat(conditions(open)).isEmpty();
    assertThat(conditions(open.closed(Reason.PRIORITY_HOLD)))
        .singleElement()
        .matches(it -> it.is(ConditionType.ADMITTED) && it.isTrue());
    assertThat(conditions(new Scene("v1").needing(5).refused()))
        .singleElement()
        .matches(it -> it.isFalse() && it.hasReason(Reason.MISSING_MEMORY));
  }

  private static List<Condition> conditions(Scene scene) {
    var instance = scene.instance();
    return scene.gate().store(instance, instance.status().orElseThrow(), NOW).conditions();
  }
}
