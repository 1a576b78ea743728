package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.FailedVersion;
import verwalter.model.InstanceError;
import verwalter.model.InstanceError.Retry;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;
import verwalter.model.VersionImage;

class InstanceErrorsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final RoleInstance.Spec SPEC =
      new RoleInstance.Spec("app", "n1", "app/v1", Optional.of("v1"), Map.of());
  private static final Resource<RoleInstance.Spec, RoleInstance.Status> INSTANCE =
      Resource.of(RoleInstance.KIND, "app@n1", SPEC);

  private static Children children(
      Optional<Condition> rendered, List<ProcessGroup.Slot> slots, ReleaseRefs releases) {
    var output =
        rendered.map(
            condition ->
                Resource.of(
                        TemplateOutput.KIND,
                        "app@n1",
                        new TemplateOutput.Spec("app", "n1", "app/v1", Map.of()))
                    .withStatus(
                        TemplateOutput.Status.of(
                            0, Optional.empty(), "", List.of(), List.of(), List.of(condition))));
    var group =
        Resource.of(
                ProcessGroup.KIND, "app@n1", new ProcessGroup.Spec("app", "n1", "app", Map.of()))
            .withStatus(new ProcessGroup.Status(0, 1, 0, slots, List.of()));
    return new Children(output, List.of(group), List.of(), releases);
  }

  private static Children slots(ProcessGroup.Slot... slots) {
    return children(Optional.empty(), List.of(slots), new ReleaseRefs(List.of()));
  }

  private static ProcessGroup.Slot slot(ProcessGroup.State state, String reason) {
    return new ProcessGroup.Slot(
        "app/web.0",
        state,
        "image",
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        Optional.of(new ProcessGroup.Exit(Optional.of(3), Optional.empty(), NOW, true)),
        Optional.of(NOW.plusSeconds(2)),
        reason,
        List.of(),
        List.of());
  }

  private static Children rendered(Reason reason) {
    var failed = Condition.ofFalse(ConditionType.RENDERED, reason, "a.j2: no", 0, NOW);
    return children(Optional.of(failed), List.of(), new ReleaseRefs(List.of()));
  }

  private static Optional<InstanceError> broken(Children children, String reason) {
    return InstanceErrors.of(INSTANCE, children, new InstanceState(State.BROKEN, reason));
  }

  private static InstanceError lasting(String message) {
    return new InstanceError(message, Retry.ON_CHANGE, Optional.empty());
  }

  @Test
  void aProcessThatFailedIsStartedAgain() {
    var reason = "exited with code 3 after 0.1s; next start in 2.0s (3 early exits)";
    var children = slots(slot(ProcessGroup.State.WAITING, reason));
    assertThat(broken(children, "app/web.0: " + reason))
        .contains(
            new InstanceError(
                "app/web.0: exited with code 3",
                Retry.AFTER_DELAY,
                Optional.of(NOW.plusSeconds(2))));
  }

  @Test
  void aRefusedProcessIsNotTriedAgain() {
    var children = slots(slot(ProcessGroup.State.REFUSED, "no such user"));
    assertThat(broken(children, "app/web.0: no such user"))
        .contains(lasting("app/web.0: no such user"));
  }

  @Test
  void filesAreTriedAgainOnlyIfTheMachineFailed() {
    assertThat(broken(rendered(Reason.RENDER_FAILED), "a.j2: no")).contains(lasting("a.j2: no"));
    assertThat(broken(rendered(Reason.HELD), "a.j2: no")).contains(lasting("a.j2: no"));
    assertThat(broken(rendered(Reason.MACHINE_FAILED), "a.j2: no"))
        .contains(new InstanceError("a.j2: no", Retry.AFTER_DELAY, Optional.empty()));
    assertThat(broken(rendered(Reason.MACHINE_FAILED), "sandbox app belongs to role x already"))
        .contains(lasting("sandbox app belongs to role x already"));
  }

  private static Optional<InstanceError> preparing(Reason reason, Optional<Instant> next) {
    var image = new VersionImage("https://files/a.tar", Optional.empty());
    var instance =
        INSTANCE.withSpec(SPEC.withRelease(Optional.of(new RoleInstance.WantedRelease(image, 1))));
    var wanted = ReleaseRefs.wanted(instance.spec()).orElseThrow();
    var status =
        new DeploymentRef.Status(
            0,
            DeploymentRef.State.INITIAL,
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            DeploymentRef.Attempts.NONE,
            next,
            "another reason",
            List.of(Condition.ofFalse(ConditionType.PREPARED, reason, "no route", 0, NOW)));
    var ref =
        Resource.of(DeploymentRef.KIND, DeploymentRef.name(wanted), wanted).withStatus(status);
    return InstanceErrors.of(
        instance,
        children(Optional.empty(), List.of(), new ReleaseRefs(List.of(ref))),
        new InstanceState(State.PREPARING, "initial: another reason"));
  }

  @Test
  void aReleaseThatFailedSaysWhenItIsTriedAgain() {
    assertThat(preparing(Reason.UNREACHABLE, Optional.of(NOW)))
        .contains(new InstanceError("no route", Retry.AT_TIME, Optional.of(NOW)));
    assertThat(preparing(Reason.BAD_DIGEST, Optional.empty())).contains(lasting("no route"));
    assertThat(preparing(Reason.PREPARING, Optional.empty())).isEmpty();
  }

  private static Optional<InstanceError> waiting(Reason reason) {
    var closed = Condition.ofFalse(ConditionType.ADMITTED, reason, "needs 2 GB", 0, NOW);
    var status =
        new RoleInstance.Status(0, State.WAITING, 0, 0, 0, NOW, "needs 2 GB", List.of(closed));
    return InstanceErrors.of(
        INSTANCE.withStatus(status), slots(), new InstanceState(State.WAITING, "needs 2 GB"));
  }

  @Test
  void missingMemoryIsAnErrorAndADelayIsNot() {
    assertThat(waiting(Reason.MISSING_MEMORY))
        .contains(new InstanceError("needs 2 GB", Retry.WHEN_FREED, Optional.empty()));
    assertThat(waiting(Reason.START_DELAYED)).isEmpty();
    assertThat(waiting(Reason.PRIORITY_HOLD)).isEmpty();
  }

  @Test
  void aVersionThatFailedIsNotTriedAgain() {
    var failed =
        new FailedVersion(
            Optional.of("v1"),
            Optional.empty(),
            "exited",
            NOW,
            Optional.empty(),
            new TemplateOutput.Next("app/v0", Map.of(), Optional.empty()));
    var status =
        new RoleInstance.Status(0, State.RUNNING, 1, 1, 0, NOW, "", List.of())
            .with(Optional.empty(), Optional.of(failed));
    var up = new InstanceState(State.RUNNING, "");
    assertThat(InstanceErrors.of(INSTANCE.withStatus(status), slots(), up))
        .contains(lasting(InstanceState.runsAgain(failed)));
    assertThat(InstanceErrors.of(INSTANCE, slots(), up)).isEmpty();
  }
}
