package verwalter.controllers.nodeschedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.StartPolicy;
import verwalter.model.UpdatePolicy;
import verwalter.model.VersionImage;
import verwalter.model.VersionSettings;
import verwalter.stores.api.Write;

class NodeSchedulePlanTest {
  private static NodeSchedulePlan plan(
      Map<String, Map<String, Object>> roles,
      List<Resource<RoleInstance.Spec, RoleInstance.Status>> present) {
    return NodeSchedulePlan.of("alone", share(roles), present, Map.of(), List.of());
  }

  private static NodeSchedule.Spec share(Map<String, Map<String, Object>> roles) {
    return new NodeSchedule.Spec("hash", roles);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String role, Map<String, Object> variables) {
    return Resource.of(
        RoleInstance.KIND,
        role + "@alone",
        new RoleInstance.Spec(
            role,
            "alone",
            (String) variables.getOrDefault("template", ""),
            Optional.ofNullable((String) variables.get("version")),
            variables));
  }

  @Test
  void aNewRoleIsCreatedWithItsFinalizer() {
    var plan = plan(Map.of("app", Map.of("template", "app/v1", "version", "v1")), List.of());

    assertThat(plan.writes()).hasSize(1);
    var made = plan.writes().get(0).resource();
    assertThat(made.name()).isEqualTo("app@alone");
    assertThat(made.meta().finalizers()).containsExactly(RoleInstance.FINALIZER);
    assertThat(made.spec())
        .isEqualTo(
            new RoleInstance.Spec(
                "app",
                "alone",
                "app/v1",
                Optional.of("v1"),
                Map.of("template", "app/v1", "version", "v1")));
  }

  @Test
  void anUnchangedRoleIsNotWritten() {
    var variables = Map.<String, Object>of("template", "app/v1");
    assertThat(plan(Map.of("app", variables), List.of(instance("app", variables))).writes())
        .isEmpty();
  }

  @Test
  void aRoleWithOtherVariablesIsUpdated() {
    var plan =
        plan(
            Map.of("app", Map.of("template", "app/v1", "count", 2L)),
            List.of(instance("app", Map.of("template", "app/v1", "count", 1L))));

    assertThat(plan.writes()).singleElement().isInstanceOf(Write.Put.class);
  }

  @Test
  void aRoleThatLeftTheShareIsRemoved() {
    var plan = plan(Map.of(), List.of(instance("app", Map.of())));

    assertThat(plan.writes()).singleElement().isInstanceOf(Write.Remove.class);
  }

  @Test
  void aDeletedInstanceIsNotTouched() {
    var variables = Map.<String, Object>of("template", "app/v1");
    var leaving = instance("app", variables);
    leaving =
        leaving.withMeta(
            leaving.meta().committed("u", 3, 1, Optional.empty(), Optional.of(Instant.EPOCH)));

    assertThat(plan(Map.of("app", variables), List.of(leaving)).writes()).isEmpty();
    assertThat(plan(Map.of(), List.of(leaving)).writes()).isEmpty();
  }

  @Test
  void aRoleWithAnInvalidNameIsRefusedAndOthersAreApplied() {
    var plan = plan(Map.of("a/b", Map.of(), "app", Map.of()), List.of());

    assertThat(plan.refused()).containsOnlyKeys("a/b");
    assertThat(plan.writes()).hasSize(1);
  }

  @Test
  void theRestartCounterOfAnInstanceIsKept() {
    var present = instance("app", Map.of("count", 1L));
    var asked = present.withSpec(present.spec().withRestartCounter(Optional.of(3L)));

    assertThat(plan(Map.of("app", Map.of("count", 1L)), List.of(asked)).writes()).isEmpty();
    assertThat(plan(Map.of("app", Map.of("count", 2L)), List.of(asked)).writes())
        .singleElement()
        .extracting(write -> ((RoleInstance.Spec) write.resource().spec()).restartCounter())
        .isEqualTo(Optional.of(3L));
  }

  @Test
  void anInstanceThatVanishedIsMadeAgainToBeRemoved() {
    var orphan = instance("app", Map.of("template", "app/v1")).spec();
    var orphans = Map.of("app", orphan);

    var plan = NodeSchedulePlan.of("alone", share(Map.of()), List.of(), orphans, List.of());
    assertThat(plan.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.resource().spec()).isEqualTo(orphan))
        .satisfies(
            write ->
                assertThat(write.resource().meta().finalizers())
                    .containsExactly(RoleInstance.FINALIZER));

    var wanted = Map.of("app", Map.<String, Object>of("template", "app/v2"));
    assertThat(NodeSchedulePlan.of("alone", share(wanted), List.of(), orphans, List.of()).writes())
        .singleElement()
        .extracting(write -> ((RoleInstance.Spec) write.resource().spec()).template())
        .isEqualTo("app/v2");
  }

  @Test
  void anotherPolicyChangesNothingElse() {
    var image = new VersionImage("/1.tar", Optional.empty());
    var variables = Map.<String, Object>of("template", "app/v1", "version", "v1");
    var policies =
        new VersionSettings(
            Optional.of(image),
            Optional.of(
                new UpdatePolicy(
                    UpdatePolicy.OnFailure.REVERT,
                    UpdatePolicy.Prepare.UNPACK,
                    UpdatePolicy.Changes.LIVE)),
            Optional.of(new StartPolicy(60, Optional.empty())));
    var present = instance("app", variables);
    present =
        present.withSpec(
            present
                .spec()
                .withRelease(Optional.of(new RoleInstance.WantedRelease(image, 4)))
                .withRestartCounter(Optional.of(2L)));

    var share = new NodeSchedule.Spec("hash", Map.of("app", variables), Map.of("app", policies));
    var plan = NodeSchedulePlan.of("alone", share, List.of(present), Map.of(), List.of());

    assertThat(plan.writes())
        .extracting(write -> write.resource().spec())
        .isEqualTo(List.of(present.spec().withPolicies(policies)));
  }
}
