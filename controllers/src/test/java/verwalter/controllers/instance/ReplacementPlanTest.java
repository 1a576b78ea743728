package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.UsedRelease;
import verwalter.model.VersionImage;

/** Tests the phases in which a release is replaced. */
class ReplacementPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static RoleInstance.Spec spec(String version, long generation) {
    return new RoleInstance.Spec("app", "n1", "app/v1", Optional.of(version), Map.of())
        .withRelease(
            Optional.of(
                new RoleInstance.WantedRelease(
                    new VersionImage("/" + version + ".tar", Optional.empty()), generation)));
  }

  private static final RoleInstance.Spec V1 = spec("v1", 1);
  private static final RoleInstance.Spec V2 = spec("v2", 2);
  private static final RoleInstance.Spec V3 = spec("v3", 3);

  private static String ref(RoleInstance.Spec spec) {
    return ReleaseRefs.target(spec).orElseThrow();
  }

  /** An instance and its children, one part after the other. */
  private static final class Scene {
    private final RoleInstance.Spec wanted;
    private Optional<Replacement> replacement = Optional.empty();
    private Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output =
        Optional.empty();
    private List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups = List.of();
    private final List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> refs = new ArrayList<>();

    Scene(RoleInstance.Spec wanted) {
      this.wanted = wanted;
    }

    Scene in(Phase phase, RoleInstance.Spec from, RoleInstance.Spec to) {
      replacement =
          Optional.of(
              new Replacement(
                  phase, Optional.of(ref(from)), Optional.of(ref(to)), false, Instant.EPOCH));
      return this;
    }

    Scene files(RoleInstance.Spec of, boolean rendered) {
      var used =
          new UsedRelease(
              ref(of), "/releases/" + of.version().orElseThrow(), Optional.empty(), of.version());
      var spec =
          new TemplateOutput.Spec(
              "app", "n1", "app/v1", Map.of(), Optional.of(used), Optional.empty());
      var process =
          ProcessSpec.ofImage(
              ProcessSpec.Type.DAEMON, "image", "/c.yaml", 1, Map.of(), List.of(), List.of());
      output =
          Optional.of(
              Resource.of(TemplateOutput.KIND, "app@n1", spec)
                  .withStatus(
                      TemplateOutput.Status.of(
                          0,
                          Optional.empty(),
                          "",
                          List.of(),
                          List.of(new TemplateOutput.ProcessFile("app", Map.of("web", process))),
                          List.of(
                              rendered
                                  ? Condition.ofTrue(
                                      ConditionType.RENDERED, Reason.IN_PLACE, "", 0, NOW)
                                  : Condition.ofFalse(
                                      ConditionType.RENDERED,
                                      Reason.RENDER_FAILED,
                                      "no such variable",
                                      0,
                                      NOW)))));
      return this;
    }

    /** The files of the next release were checked. */
    Scene checked(RoleInstance.Spec of, boolean good) {
      var last = output.orElseThrow();
      var used =
          new UsedRelease(
              ref(of), "/releases/" + of.version().orElseThrow(), Optional.empty(), of.version());
      var next = new TemplateOutput.Next("app/v1", Map.of(), Optional.of(used));
      var condition =
          good
              ? Condition.ofTrue(ConditionType.CHECKED, Reason.CHECKED, "", 0, NOW)
              : Condition.ofFalse(ConditionType.CHECKED, Reason.RENDER_FAILED, "no", 0, NOW);
      var status = last.status().orElseThrow();
      output =
          Optional.of(
              last.withSpec(last.spec().withNext(Optional.of(next)))
                  .withStatus(
                      TemplateOutput.Status.of(
                          0,
                          Optional.empty(),
                          "",
                          List.of(),
                          status.processes(),
                          Condition.put(status.conditions(), condition))));
      return this;
    }

    Scene ready(RoleInstance.Spec of) {
      refs.add(
          Resource.of(DeploymentRef.KIND, ref(of), ReleaseRefs.wanted(of).orElseThrow())
              .withStatus(
                  new DeploymentRef.Status(
                      0,
                      DeploymentRef.State.CREATED,
                      Optional.empty(),
                      0,
                      Optional.empty(),
                      Optional.of("/releases/" + of.version().orElseThrow()),
                      DeploymentRef.Attempts.NONE,
                      Optional.empty(),
                      "",
                      List.of())));
      return this;
    }

    /** A group with so many wanted processes, and one slot in the state. */
    Scene process(int wanted, boolean observed, ProcessGroup.State... slots) {
      var process =
          ProcessSpec.ofImage(
              ProcessSpec.Type.DAEMON, "image", "/c.yaml", wanted, Map.of(), List.of(), List.of());
      int running =
          (int) List.of(slots).stream().filter(it -> it == ProcessGroup.State.RUNNING).count();
      groups =
          List.of(
              Resource.of(
                      ProcessGroup.KIND,
                      "app@n1",
                      new ProcessGroup.Spec("app", "n1", "app", Map.of("web", process)))
                  .withStatus(
                      new ProcessGroup.Status(
                          observed ? 0 : -1,
                          wanted,
                          running,
                          List.of(slots).stream().map(Scene::slot).toList(),
                          List.of())));
      return this;
    }

    Scene withoutGroups() {
      groups = List.of();
      return this;
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

    Optional<Replacement> next() {
      var instance = Resource.of(RoleInstance.KIND, "app@n1", wanted);
      var last =
          new RoleInstance.Status(
              0, RoleInstance.State.RUNNING, 1, 1, 0, Instant.EPOCH, "", List.of());
      return ReplacementPlan.next(
          instance.withStatus(last.withReplacement(replacement)),
          new Children(output, groups, List.of(), new ReleaseRefs(refs)),
          NOW);
    }

    Optional<Phase> phase() {
      return next().map(Replacement::phase);
    }
  }

  @Test
  void theFirstReleaseReplacesNothing() {
    assertThat(new Scene(V1).next()).isEmpty();
    assertThat(new Scene(V1).ready(V1).next()).isEmpty();
  }

  @Test
  void anotherReleaseIsPreparedWhileTheOldOneRuns() {
    var scene = new Scene(V2).files(V1, true).process(1, true, ProcessGroup.State.RUNNING);

    assertThat(scene.next())
        .contains(
            new Replacement(Phase.PREPARE, Optional.of(ref(V1)), Optional.of(ref(V2)), false, NOW));
    assertThat(scene.in(Phase.PREPARE, V1, V2).phase()).contains(Phase.PREPARE);
    assertThat(scene.ready(V2).phase()).contains(Phase.PREPARE);
    assertThat(scene.checked(V2, false).phase()).contains(Phase.PREPARE);
    assertThat(scene.checked(V2, true).phase()).contains(Phase.STOP);
  }

  @Test
  void filesAreSwitchedOnceTheSupervisorHasConfirmedThatNothingRuns() {
    var scene = new Scene(V2).files(V1, true).ready(V2).in(Phase.STOP, V1, V2);

    assertThat(scene.process(1, true, ProcessGroup.State.RUNNING).phase()).contains(Phase.STOP);
    assertThat(scene.process(0, false).phase()).contains(Phase.STOP);
    assertThat(scene.process(0, true, ProcessGroup.State.STOPPING).phase()).contains(Phase.STOP);
    assertThat(scene.process(0, true).phase()).contains(Phase.SWITCH);
    assertThat(scene.withoutGroups().phase()).contains(Phase.STOP);
  }

  @Test
  void processesStartOnceTheFilesAreSwitched() {
    var scene = new Scene(V2).ready(V2).in(Phase.SWITCH, V1, V2).process(0, true);

    assertThat(scene.files(V1, true).phase()).contains(Phase.SWITCH);
    assertThat(scene.files(V2, false).phase()).contains(Phase.SWITCH);
    assertThat(scene.files(V2, true).phase()).contains(Phase.START);
  }

  @Test
  void theReplacementEndsWhenTheNewProcessesRun() {
    var scene = new Scene(V2).ready(V2).in(Phase.START, V1, V2).files(V2, true);

    assertThat(scene.process(1, true, ProcessGroup.State.WAITING).phase()).contains(Phase.START);
    assertThat(scene.process(1, true, ProcessGroup.State.RUNNING).phase()).isEmpty();
  }

  @Test
  void aSpecThatReturnsToTheRunningReleaseEndsTheReplacement() {
    var scene = new Scene(V1).files(V1, true);

    assertThat(scene.in(Phase.PREPARE, V1, V2).next()).isEmpty();
    assertThat(scene.in(Phase.STOP, V1, V2).next()).isEmpty();
    assertThat(scene.in(Phase.SWITCH, V1, V2).next()).isEmpty();
  }

  @Test
  void aThirdReleaseIsPreparedWhileTheFirstOneRuns() {
    var scene = new Scene(V3).files(V1, true);

    for (var phase : List.of(Phase.PREPARE, Phase.STOP, Phase.SWITCH)) {
      assertThat(scene.in(phase, V1, V2).next())
          .as("%s", phase)
          .contains(
              new Replacement(
                  Phase.PREPARE, Optional.of(ref(V1)), Optional.of(ref(V3)), false, NOW));
    }
  }

  @Test
  void nothingStartsWhileAThirdReleaseIsPreparedAfterTheFilesWereSwitched() {
    var unrendered = new Scene(V3).files(V2, false).in(Phase.SWITCH, V1, V2);
    assertThat(unrendered.next())
        .contains(
            new Replacement(Phase.PREPARE, Optional.of(ref(V2)), Optional.of(ref(V3)), true, NOW));

    var started = new Scene(V3).files(V2, true).in(Phase.START, V1, V2);
    assertThat(started.next())
        .contains(
            new Replacement(Phase.PREPARE, Optional.of(ref(V2)), Optional.of(ref(V3)), false, NOW));
  }
}
