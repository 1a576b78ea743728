package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.OwnerReference;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.Write;

/** Tests the writes for an instance and its children. */
class InstancePlanTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final RoleInstance.Spec SPEC =
      new RoleInstance.Spec("app", "n1", "app/v1", Optional.of("v1"), Map.of("a", 1L));
  private static final TemplateOutput.Spec OUTPUT =
      new TemplateOutput.Spec("app", "n1", "app/v1", Map.of("a", 1L));
  private static final ReleaseRefs NO_RELEASES = new ReleaseRefs(List.of());
  private static final Resource<RoleInstance.Spec, RoleInstance.Status> INSTANCE =
      committed(Resource.of(RoleInstance.KIND, "app@n1", SPEC), "uid-1");
  private static final Map<String, ProcessSpec> ONE = Map.of("web", spec(1));

  private static <S, T> Resource<S, T> committed(Resource<S, T> object, String uid) {
    return object.withMeta(object.meta().committed(uid, 3, 1, Optional.of(NOW), Optional.empty()));
  }

  private static <S, T> Resource<S, T> deleting(Resource<S, T> object) {
    return object.withMeta(
        object.meta().committed("uid-2", 4, 1, Optional.of(NOW), Optional.of(NOW)));
  }

  private static ProcessSpec spec(int count) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, "image", "/c.yaml", count, Map.of(), List.of(), List.of());
  }

  private static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(
      boolean rendered, String... sandboxes) {
    var files =
        List.of(sandboxes).stream()
            .map(sandbox -> new TemplateOutput.ProcessFile(sandbox, ONE))
            .toList();
    var condition =
        rendered
            ? Condition.ofTrue(ConditionType.RENDERED, Reason.IN_PLACE, "", 1, NOW)
            : Condition.ofFalse(ConditionType.RENDERED, Reason.RENDER_FAILED, "oops", 1, NOW);
    return committed(
        Resource.of(TemplateOutput.KIND, "app@n1", OUTPUT)
            .withStatus(
                TemplateOutput.Status.of(
                    1, Optional.empty(), "", List.of(), files, List.of(condition))),
        "uid-3");
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      String role, String sandbox, Map<String, ProcessSpec> processes) {
    return committed(
        Resource.of(
            ProcessGroup.KIND,
            ProcessGroup.name(sandbox, "n1"),
            new ProcessGroup.Spec(role, "n1", sandbox, processes)),
        "uid-4");
  }

  private static Children children(
      Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output,
      List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups) {
    return new Children(output, groups, List.of(), NO_RELEASES);
  }

  private static List<Write> keep(Children children) {
    return InstancePlan.keep(INSTANCE, children);
  }

  @Test
  void aNewInstanceGetsATemplateOutput() {
    var writes = keep(children(Optional.empty(), List.of()));

    assertThat(writes).hasSize(1);
    var made = ((Write.Put) writes.get(0)).resource();
    assertThat(made.name()).isEqualTo("app@n1");
    assertThat(made.spec())
        .isEqualTo(new TemplateOutput.Spec("app", "n1", "app/v1", Map.of("a", 1L)));
    assertThat(made.meta().labels()).isEqualTo(Map.of("role", "app", "node", "n1"));
    assertThat(made.meta().finalizers()).containsExactly(TemplateOutput.FINALIZER);
    assertThat(made.meta().owners()).isEmpty();
  }

  @Test
  void anOutputWithOtherVariablesIsUpdated() {
    var old =
        output(true).withSpec(new TemplateOutput.Spec("app", "n1", "app/v1", Map.of("a", 0L)));

    assertThat(keep(children(Optional.of(old), List.of())))
        .containsExactly(new Write.Put(old.withSpec(OUTPUT)));
  }

  @Test
  void childrenOfEarlierVersionsLoseTheirOwner() {
    var owner = OwnerReference.to(INSTANCE);
    var output = output(true, "app");
    var group = group("app", "app", ONE);
    var owned =
        children(
            Optional.of(output.withMeta(output.meta().ownedBy(owner))),
            List.of(group.withMeta(group.meta().ownedBy(owner))));

    assertThat(keep(owned)).containsExactly(new Write.Put(output), new Write.Put(group));
  }

  @Test
  void renderedProcessesGetAGroup() {
    var writes = keep(children(Optional.of(output(true, "app")), List.of()));

    assertThat(writes).hasSize(1);
    var made = ((Write.Put) writes.get(0)).resource();
    assertThat(made.name()).isEqualTo("app@n1");
    assertThat(made.spec()).isEqualTo(new ProcessGroup.Spec("app", "n1", "app", ONE));
    assertThat(made.meta().labels()).isEqualTo(Map.of("role", "app", "node", "n1"));
    assertThat(made.meta().finalizers()).containsExactly(ProcessGroup.FINALIZER);
    assertThat(made.meta().owners()).isEmpty();
  }

  @Test
  void unchangedChildrenAreNotWritten() {
    assertThat(keep(children(Optional.of(output(true, "app")), List.of(group("app", "app", ONE)))))
        .isEmpty();
  }

  @Test
  void aGroupWithOtherProcessesIsUpdated() {
    var old = group("app", "app", Map.of("web", spec(7)));

    assertThat(keep(children(Optional.of(output(true, "app")), List.of(old))))
        .containsExactly(
            new Write.Put(old.withSpec(new ProcessGroup.Spec("app", "n1", "app", ONE))));
  }

  @Test
  void aGroupIsRemovedAfterASuccessfulRenderingWithoutIt() {
    var old = group("app", "old", ONE);

    assertThat(keep(children(Optional.of(output(true)), List.of(old))))
        .containsExactly(new Write.Remove(old));
    assertThat(keep(children(Optional.of(output(false)), List.of(old)))).isEmpty();
  }

  @Test
  void aDeletedGroupIsNeitherUpdatedNorCreatedAgain() {
    var going = deleting(group("app", "app", Map.of("web", spec(7))));

    assertThat(keep(children(Optional.of(output(true, "app")), List.of(going)))).isEmpty();
  }

  @Test
  void aGroupOfAnotherRoleIsNotTouched() {
    var children =
        new Children(
            Optional.of(output(true, "app", "mine")),
            List.of(),
            List.of(group("other", "app", ONE)),
            NO_RELEASES);

    assertThat(keep(children))
        .extracting(write -> write.resource().name())
        .containsExactly("mine@n1");
  }

  @Test
  void theLastProcessFilesAreUsedWhileRenderingFails() {
    assertThat(keep(children(Optional.of(output(false, "app")), List.of())))
        .extracting(write -> write.resource().name())
        .containsExactly("app@n1");
  }

  @Test
  void processesAreRemovedBeforeFiles() {
    var group = group("app", "app", ONE);
    var going = deleting(group("app", "old", ONE));
    var output = output(true, "app");

    assertThat(InstancePlan.release(children(Optional.of(output), List.of(group, going))))
        .containsExactly(new Write.Remove(group));
    assertThat(InstancePlan.release(children(Optional.of(output), List.of(going)))).isEmpty();
    assertThat(InstancePlan.release(children(Optional.of(output), List.of())))
        .containsExactly(new Write.Remove(output));
    assertThat(InstancePlan.release(children(Optional.of(deleting(output)), List.of()))).isEmpty();
  }

  @Test
  void theRestartCounterReachesAllProcesses() {
    var wanted = INSTANCE.withSpec(INSTANCE.spec().withRestartCounter(Optional.of(4L)));
    var children = children(Optional.of(output(true, "app")), List.of());

    assertThat(InstancePlan.keep(wanted, children))
        .extracting(Write::resource)
        .filteredOn(made -> made.type().equals(ProcessGroup.KIND))
        .flatExtracting(made -> ((ProcessGroup.Spec) made.spec()).processes().values())
        .isNotEmpty()
        .allSatisfy(process -> assertThat(process.restartCounter()).isEqualTo(Optional.of(4L)));
  }
}
