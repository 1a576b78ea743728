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
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.TemplateOutput;
import verwalter.model.UpdatePolicy;
import verwalter.model.VersionSettings;

/** Tests which changes wait for a restart, and when they are put in place. */
class StagedChangesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Map<String, Object> OLD = Map.of("version", "v1", "port", 80L, "a", 1L);
  private static final Map<String, Object> NEW = Map.of("version", "v1", "port", 81L, "b", 1L);

  /** An instance without an image, and its children. */
  private static final class Scene {
    private Map<String, Object> wanted = NEW;
    private UpdatePolicy.Changes changes = UpdatePolicy.Changes.STAGED;
    private Optional<Phase> phase = Optional.empty();
    private Optional<Long> requested = Optional.empty();
    private Optional<Condition> checked = Optional.empty();
    private int processes = 1;
    private List<ProcessGroup.Slot> slots =
        List.of(slot(ProcessGroup.State.RUNNING, Optional.empty()));

    Resource<RoleInstance.Spec, RoleInstance.Status> instance() {
      var policy =
          new UpdatePolicy(UpdatePolicy.OnFailure.WAIT, UpdatePolicy.Prepare.UNPACK, changes);
      var version = Optional.of((String) wanted.getOrDefault("version", ""));
      var spec =
          new RoleInstance.Spec("app", "n1", "app/v1", version, wanted)
              .withPolicies(
                  new VersionSettings(Optional.empty(), Optional.of(policy), Optional.empty()))
              .withRestartCounter(requested);
      var status =
          new RoleInstance.Status(0, RoleInstance.State.RUNNING, 1, 1, 0, NOW, "", List.of());
      return Resource.of(RoleInstance.KIND, "app@n1", spec)
          .withStatus(
              status.with(
                  phase.map(
                      it -> new Replacement(it, Optional.empty(), Optional.empty(), false, NOW)),
                  Optional.empty()));
    }

    Children children() {
      var process =
          ProcessSpec.ofImage(
              ProcessSpec.Type.DAEMON, "image", "/c.yaml", 1, Map.of(), List.of(), List.of());
      var next = new TemplateOutput.Next("app/v1", wanted, Optional.empty());
      var conditions =
          checked.stream().reduce(List.<Condition>of(), Condition::put, (one, other) -> one);
      var output =
          Resource.of(
                  TemplateOutput.KIND,
                  "app@n1",
                  new TemplateOutput.Spec("app", "n1", "app/v1", OLD)
                      .withNext(checked.map(it -> next)))
              .withStatus(
                  TemplateOutput.Status.of(
                      0,
                      Optional.empty(),
                      "",
                      List.of(),
                      List.of(new TemplateOutput.ProcessFile("app", Map.of("web", process))),
                      conditions));
      var handed = processes == 0 ? process.stopped() : process;
      var group =
          Resource.of(
                  ProcessGroup.KIND,
                  "app@n1",
                  new ProcessGroup.Spec("app", "n1", "app", Map.of("web", handed)))
              .withStatus(new ProcessGroup.Status(0, processes, 0, slots, List.of()));
      return new Children(
          Optional.of(output), List.of(group), List.of(), new ReleaseRefs(List.of()));
    }

    Scene checked(boolean good) {
      checked =
          Optional.of(
              good
                  ? Condition.ofTrue(ConditionType.CHECKED, Reason.CHECKED, "", 0, NOW)
                  : Condition.ofFalse(
                      ConditionType.CHECKED, Reason.RENDER_FAILED, "no such file", 0, NOW));
      return this;
    }

    Optional<StagedChanges> waiting() {
      return StagedChanges.of(instance(), children());
    }

    boolean areDue() {
      return StagedChanges.areDue(instance(), children(), NOW);
    }

    boolean holdRestart() {
      return StagedChanges.holdRestart(instance(), children());
    }
  }

  private static ProcessGroup.Slot slot(ProcessGroup.State state, Optional<Instant> next) {
    return new ProcessGroup.Slot(
        "app/web.0",
        state,
        "image",
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        next.map(it -> new ProcessGroup.Exit(Optional.of(1), Optional.empty(), NOW, true)),
        next,
        "exited with code 1",
        List.of(),
        List.of());
  }

  @Test
  void changedVariablesWait() {
    var scene = new Scene();

    assertThat(scene.waiting().map(it -> it.message(scene.instance(), scene.children())))
        .contains("changes of a, b, port wait for a restart: vw restart app@n1");
    assertThat(
            scene
                .checked(false)
                .waiting()
                .orElseThrow()
                .message(scene.instance(), scene.children()))
        .endsWith("; they cannot be put in place: no such file");
  }

  @Test
  void nothingWaitsThatIsTheSameOrOfAnotherVersionOrLive() {
    var same = new Scene();
    same.wanted = OLD;
    var other = new Scene();
    other.wanted = Map.of("version", "v2");
    var live = new Scene();
    live.changes = UpdatePolicy.Changes.LIVE;
    var halted = new Scene();
    halted.processes = 0;
    halted.slots = List.of();

    for (var scene : List.of(same, other, live, halted)) {
      assertThat(scene.waiting()).isEmpty();
    }
  }

  @Test
  void changesWaitUntilANewVersionHasStartedButDoNotDelayItsSwitch() {
    for (var phase : Phase.values()) {
      var scene = new Scene();
      scene.phase = Optional.of(phase);
      assertThat(scene.waiting().isPresent()).as("%s", phase).isEqualTo(phase == Phase.START);
    }
  }

  @Test
  void aRestartWaitsForTheCheckAndThenTakesThemAlong() {
    var scene = new Scene();
    assertThat(scene.checked(true).areDue()).isFalse();
    scene.requested = Optional.of(1L);
    assertThat(scene.areDue()).isTrue();
    scene.checked = Optional.empty();
    assertThat(scene.areDue()).isFalse();
    assertThat(scene.holdRestart()).isTrue();
    assertThat(scene.checked(false).areDue()).isFalse();
    assertThat(scene.holdRestart()).isFalse();
  }

  @Test
  void changesAreDueOnceNothingRunsAndNothingIsAboutTo() {
    var scene = new Scene().checked(true);
    assertThat(scene.areDue()).isFalse();
    scene.slots = List.of(slot(ProcessGroup.State.WAITING, Optional.of(NOW)));
    assertThat(scene.areDue()).as("it starts at once").isFalse();
    scene.slots = List.of(slot(ProcessGroup.State.WAITING, Optional.of(NOW.plusSeconds(1))));
    assertThat(scene.areDue()).isTrue();
    scene.slots = List.of(slot(ProcessGroup.State.REFUSED, Optional.empty()));
    assertThat(scene.areDue()).isTrue();
    scene.slots = List.of(slot(ProcessGroup.State.STOPPING, Optional.empty()));
    assertThat(scene.areDue()).isFalse();
  }
}
