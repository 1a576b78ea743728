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
import verwalter.model.FailedVersion;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.UsedRelease;
import verwalter.model.UpdatePolicy;
import verwalter.model.VersionImage;
import verwalter.model.VersionSettings;

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

  private static RoleInstance.Spec reverting(RoleInstance.Spec spec) {
    var policy =
        new UpdatePolicy(
            UpdatePolicy.OnFailure.REVERT, UpdatePolicy.Prepare.UNPACK, UpdatePolicy.Changes.LIVE);
    return spec.withPolicies(
        new VersionSettings(Optional.empty(), Optional.of(policy), Optional.empty()));
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
    private Optional<FailedVersion> failed = Optional.empty();
    private StartTrial trial = StartTrial.NONE;
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

    /** Nothing ran while the release of the replacement was prepared. */
    Scene down() {
      var last = replacement.orElseThrow();
      replacement =
          Optional.of(new Replacement(last.phase(), last.from(), last.to(), true, last.began()));
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

    /** How long the processes of the new version were observed. */
    Scene observed(boolean ranLongEnough, boolean startExpired) {
      trial = new StartTrial(ranLongEnough, startExpired);
      return this;
    }

    /** The version goes back if it fails, from the files of this one. */
    Scene former(RoleInstance.Spec of) {
      replacement = replacement.map(it -> it.withFormer(Optional.of(next(of))));
      return this;
    }

    /** The way back from the version of the spec to the former one. */
    Scene back(Phase phase, RoleInstance.Spec bad, RoleInstance.Spec good) {
      replacement =
          Optional.of(
              new Replacement(
                  phase,
                  Optional.of(ref(bad)),
                  Optional.of(ref(good)),
                  false,
                  NOW,
                  Optional.empty(),
                  true));
      return failed(bad, good);
    }

    /** The version has failed, and the node went back to the other one. */
    Scene failed(RoleInstance.Spec bad, RoleInstance.Spec good) {
      failed =
          Optional.of(
              new FailedVersion(
                  bad.version(),
                  Optional.of(ref(bad)),
                  "exited",
                  NOW,
                  Optional.empty(),
                  next(good)));
      return this;
    }

    private static TemplateOutput.Next next(RoleInstance.Spec of) {
      return new TemplateOutput.Next(
          "app/v1",
          Map.of(),
          Optional.of(
              new UsedRelease(
                  ref(of),
                  "/releases/" + of.version().orElseThrow(),
                  Optional.empty(),
                  of.version())));
    }

    Optional<Replacement> next() {
      return plan().replacement();
    }

    ReplacementPlan plan() {
      var instance = Resource.of(RoleInstance.KIND, "app@n1", wanted);
      var last =
          new RoleInstance.Status(
              0, RoleInstance.State.RUNNING, 1, 1, 0, Instant.EPOCH, "", List.of());
      return ReplacementPlan.next(
          instance.withStatus(last.with(replacement, failed)),
          new Children(output, groups, List.of(), new ReleaseRefs(refs)),
          trial,
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

  /** The new version is in place and its processes start; the former files are remembered. */
  private static Scene starting() {
    return new Scene(reverting(V2))
        .ready(V1)
        .ready(V2)
        .files(V2, true)
        .in(Phase.START, V1, V2)
        .former(V1);
  }

  @Test
  void theFormerFilesAreRememberedBeforeTheyAreSwitchedIfTheVersionGoesBack() {
    for (var wanted : List.of(V2, reverting(V2))) {
      var scene =
          new Scene(wanted).files(V1, true).ready(V2).in(Phase.STOP, V1, V2).process(0, true);

      assertThat(scene.next().orElseThrow().former())
          .isEqualTo(wanted.equals(V2) ? Optional.empty() : Optional.of(Scene.next(V1)));
    }
    var unproven =
        new Scene(reverting(V3)).files(V2, true).in(Phase.STOP, V2, V3).former(V1).process(0, true);
    assertThat(unproven.next().orElseThrow().former()).contains(Scene.next(V1));
  }

  @Test
  void aVersionThatGoesBackHasToRunForSomeTime() {
    var running = starting().process(1, true, ProcessGroup.State.RUNNING);

    assertThat(running.phase()).contains(Phase.START);
    assertThat(running.observed(false, true).phase()).contains(Phase.START);
    assertThat(running.observed(true, false).plan())
        .isEqualTo(new ReplacementPlan(Optional.empty(), Optional.empty()));
  }

  @Test
  void aFailedProcessLeadsBack() {
    var broken = starting().process(1, true, ProcessGroup.State.REFUSED);

    var plan = broken.plan();

    assertThat(plan.replacement())
        .contains(
            new Replacement(
                Phase.STOP,
                Optional.of(ref(V2)),
                Optional.of(ref(V1)),
                false,
                NOW,
                Optional.empty(),
                true));
    assertThat(plan.failed())
        .contains(
            new FailedVersion(
                Optional.of("v2"),
                Optional.of(ref(V2)),
                "app/web.0: ",
                NOW,
                Optional.empty(),
                Scene.next(V1)));
    assertThat(
            new Scene(V2)
                .files(V2, true)
                .in(Phase.START, V1, V2)
                .former(V1)
                .process(1, true, ProcessGroup.State.REFUSED)
                .phase())
        .as("the version waits")
        .contains(Phase.START);
  }

  @Test
  void processesThatDoNotComeUpLeadBack() {
    var waiting = starting().process(1, true, ProcessGroup.State.WAITING);

    assertThat(waiting.phase()).contains(Phase.START);
    assertThat(waiting.observed(false, true).plan().failed().orElseThrow().reason())
        .isEqualTo("its processes did not come up within 60 s: 0 of 1 processes run");
  }

  @Test
  void filesThatCannotBeSwitchedLeadBack() {
    var broken =
        new Scene(reverting(V2))
            .ready(V2)
            .files(V2, false)
            .in(Phase.SWITCH, V1, V2)
            .former(V1)
            .process(0, true);

    assertThat(broken.phase()).contains(Phase.STOP);
    assertThat(broken.plan().failed().orElseThrow().reason()).isEqualTo("no such variable");
  }

  @Test
  void templatesThatBreakLaterDoNotLeadBack() {
    var running = starting().files(V2, false).process(1, true, ProcessGroup.State.RUNNING);

    assertThat(running.observed(false, true).phase()).contains(Phase.START);
  }

  @Test
  void theWayBackHasTheSamePhases() {
    var scene = new Scene(reverting(V2)).ready(V1).ready(V2).files(V2, true);

    assertThat(scene.back(Phase.STOP, V2, V1).process(1, true, ProcessGroup.State.RUNNING).phase())
        .contains(Phase.STOP);
    var stopped = scene.process(0, true);
    assertThat(stopped.next().orElseThrow().former()).isEmpty();
    assertThat(stopped.phase()).contains(Phase.SWITCH);
    assertThat(scene.back(Phase.SWITCH, V2, V1).phase()).contains(Phase.SWITCH);
    assertThat(scene.files(V1, true).phase()).contains(Phase.START);
    scene.back(Phase.START, V2, V1);
    assertThat(scene.process(1, true, ProcessGroup.State.REFUSED).phase()).contains(Phase.START);
    assertThat(scene.process(1, true, ProcessGroup.State.RUNNING).next()).isEmpty();
    assertThat(scene.plan().failed()).isPresent();
  }

  @Test
  void aFailedVersionIsTriedAgainOnRequestOnly() {
    var bad = reverting(V2);
    for (var wanted :
        List.of(
            bad.withRestartCounter(Optional.of(1L)),
            bad.withPurgeCounter(Optional.of(1L)),
            reverting(V3))) {
      var plan = new Scene(wanted).files(V1, true).failed(V2, V1).plan();
      assertThat(plan.replacement().map(Replacement::phase)).contains(Phase.PREPARE);
      assertThat(plan.failed()).isEmpty();
    }
    var kept = new Scene(bad).files(V1, true).failed(V2, V1).plan();
    assertThat(kept.replacement()).isEmpty();
    assertThat(kept.failed()).isPresent();
    assertThat(new Scene(V1).files(V1, true).failed(V2, V1).plan())
        .isEqualTo(new ReplacementPlan(Optional.empty(), Optional.empty()));
  }

  @Test
  void aThirdVersionWaitsUntilTheFormerOneIsInPlaceAgain() {
    var wanted = reverting(V3);
    var scene = new Scene(wanted).ready(V1).files(V2, true).process(0, true);

    assertThat(scene.back(Phase.STOP, V2, V1).phase()).contains(Phase.SWITCH);
    scene.files(V1, true).back(Phase.SWITCH, V2, V1);
    assertThat(scene.phase()).contains(Phase.START);
    assertThat(scene.back(Phase.START, V2, V1).plan())
        .isEqualTo(
            new ReplacementPlan(
                Optional.of(
                    new Replacement(
                        Phase.PREPARE, Optional.of(ref(V1)), Optional.of(ref(V3)), false, NOW)),
                Optional.empty()));
    var blocked = new Scene(wanted).ready(V1).files(V1, false).process(0, true);
    assertThat(blocked.back(Phase.SWITCH, V2, V1).plan())
        .isEqualTo(
            new ReplacementPlan(
                Optional.of(
                    new Replacement(
                            Phase.PREPARE, Optional.of(ref(V1)), Optional.of(ref(V3)), true, NOW)
                        .withFormer(Optional.of(Scene.next(V1)))),
                Optional.empty()));
  }

  @Test
  void aThirdReleaseIsPreparedWhileTheSecondOneRunsAlsoIfNothingRanBeforeIt() {
    var started = new Scene(V3).files(V2, true).in(Phase.START, V1, V2).down();

    assertThat(started.next())
        .contains(
            new Replacement(Phase.PREPARE, Optional.of(ref(V2)), Optional.of(ref(V3)), false, NOW));
    for (var phase : List.of(Phase.PREPARE, Phase.STOP, Phase.SWITCH)) {
      assertThat(new Scene(V3).files(V1, true).in(phase, V1, V2).down().next())
          .as("%s", phase)
          .map(Replacement::down)
          .contains(true);
    }
  }
}
