package verwalter.controllers.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Kind;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.OwnerReference;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.Write;

class RenamingTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Condition ACCEPTED =
      Condition.ofTrue(ConditionType.ACCEPTED, Reason.ACCEPTED, "", 1, THEN);
  private static final Map<String, ProcessSpec> PROCESSES =
      Map.of(
          "web",
          ProcessSpec.ofImage(
              ProcessSpec.Type.DAEMON, "v1", "/web.yaml", 2, Map.of(), List.of(), List.of()));

  private final Site site = new Site();

  /** Takes steps until none is left and gives how many there were. */
  private int rename(String name, String id) {
    int steps = 0;
    for (var writes = next(name, id); !writes.isEmpty(); writes = next(name, id)) {
      site.commit(writes);
      steps++;
      assertThat(steps).as("steps").isLessThan(10);
    }
    return steps;
  }

  private List<Write> next(String name, String id) {
    var machine = Site.machine(name, id);
    return Renaming.ofNode(site.memory, machine)
        .map(List::of)
        .orElseGet(() -> Renaming.ofObjects(site.memory, machine));
  }

  private void step(String name, String id) {
    site.commit(next(name, id));
  }

  @Test
  void noStepWritesObjectsOfTheClusterAndOfTheNode() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    for (var writes = next("new", "a1"); !writes.isEmpty(); writes = next("new", "a1")) {
      assertThat(writes)
          .extracting(write -> write.resource().type().scope())
          .containsOnly(writes.get(0).resource().type().scope());
      site.commit(writes);
    }
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new");
  }

  private Metadata meta(String name, String node, String finalizer) {
    return Metadata.named(name)
        .withLabels(Map.of("node", node, "tier", "front"))
        .withAnnotations(Map.of("note", "kept"))
        .withFinalizers(List.of(finalizer));
  }

  /** A role instance with both of its children, as their controllers leave them. */
  private void role(String role, String node) {
    var name = RoleInstance.name(role, node);
    var owner =
        site.put(
            new Resource<>(
                RoleInstance.KIND,
                meta(name, node, RoleInstance.FINALIZER),
                new RoleInstance.Spec(role, node, "t", Optional.of("v1"), Map.of("port", 80L)),
                Optional.of(
                    new RoleInstance.Status(
                        1,
                        RoleInstance.State.RUNNING,
                        2,
                        1,
                        3,
                        THEN,
                        "reason",
                        List.of(ACCEPTED)))));
    var child = OwnerReference.to(owner);
    site.put(
        new Resource<>(
            TemplateOutput.KIND,
            meta(name, node, TemplateOutput.FINALIZER).ownedBy(child),
            new TemplateOutput.Spec(role, node, "t", Map.of("port", 80L)),
            Optional.of(
                TemplateOutput.Status.of(
                    1,
                    Optional.of("d1"),
                    "input",
                    List.of(new TemplateOutput.File("/etc/web", "ab", "0644", 3)),
                    List.of(new TemplateOutput.ProcessFile(role, PROCESSES)),
                    List.of(ACCEPTED)))));
    site.put(
        new Resource<>(
            ProcessGroup.KIND,
            meta(name, node, ProcessGroup.FINALIZER).ownedBy(child),
            new ProcessGroup.Spec(role, node, role, PROCESSES),
            Optional.of(new ProcessGroup.Status(1, 2, 1, List.of(), List.of(ACCEPTED)))));
  }

  private RoleInstance.Status instanceStatus(String name) {
    return site.memory.get(RoleInstance.KIND, name).orElseThrow().status().orElseThrow();
  }

  private <S, T> Resource<S, T> get(Kind<S, T> kind, String name) {
    return site.memory.get(kind, name).orElseThrow();
  }

  @Test
  void aMachineThatKeepsItsNameNeedsNothing() {
    assertThat(rename("n1", "a1")).isZero();
    site.put(Site.claimed("n1", "a1"));
    site.put(Site.claimed("n2", "b2"));
    role("app", "n1");

    assertThat(rename("n1", "a1")).isZero();
  }

  @Test
  void theNodeIsMadeUnderTheNewNameWithSpecAndLabelsOfTheOldOne() {
    var ready = Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, THEN);
    var old = Site.claimed("old", "a1");
    site.put(
        old.withSpec(new Node.Spec(true))
            .withMeta(
                old.meta().withLabels(Map.of("rack", "r1")).withAnnotations(Map.of("note", "kept")))
            .withStatus(
                new Node.Status(
                    1,
                    List.of("old:8379"),
                    Map.of(Node.MACHINE_ID, "a1", "hostname", "old"),
                    new Node.Capacity(1, 1),
                    Optional.of("h1"),
                    new Node.Roles(3, 2, 1),
                    List.of(ready, ACCEPTED))));

    assertThat(rename("new", "a1")).isEqualTo(1);
    var node = site.node("new");
    assertThat(node.spec().cordoned()).isTrue();
    assertThat(node.meta().labels()).isEqualTo(Map.of("rack", "r1"));
    assertThat(node.meta().annotations())
        .isEqualTo(Map.of("note", "kept", Node.FORMER_NAMES, "old"));
    var machine = Site.machine("new", "a1");
    assertThat(node.status())
        .contains(
            new Node.Status(
                1,
                machine.addresses(),
                machine.facts(),
                machine.capacity(),
                Optional.of("h1"),
                new Node.Roles(3, 2, 1),
                List.of(ACCEPTED)));
    assertThat(site.names(Node.KIND)).containsExactly("new", "old");
  }

  @Test
  void aNodeThatAnOperatorMadeUnderTheNewNameKeepsItsOwnSpec() {
    site.put(Site.claimed("old", "a1"));
    var made = Resource.of(Node.KIND, "new", new Node.Spec(true));
    site.put(made.withMeta(made.meta().withAnnotations(Map.of("note", "mine"))));

    rename("new", "a1");
    assertThat(site.node("new").spec().cordoned()).isTrue();
    assertThat(site.node("new").meta().annotations())
        .isEqualTo(Map.of("note", "mine", Node.FORMER_NAMES, "old"));
  }

  @Test
  void formerNamesAreKeptTheLastOneFirstAndTheOwnNameIsNone() {
    site.put(Site.claimed("third", "a1", "second", "first"));

    rename("first", "a1");
    assertThat(Node.formerNames(site.node("first"))).containsExactly("third", "second");
  }

  @Test
  void copiesBearTheNewNameAndEverythingElseOfTheOld() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    var before = get(RoleInstance.KIND, "app@old");

    assertThat(rename("new", "a1")).isEqualTo(3);
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new");
    assertThat(site.names(TemplateOutput.KIND)).containsExactly("app@new");
    assertThat(site.names(ProcessGroup.KIND)).containsExactly("app@new");

    var instance = get(RoleInstance.KIND, "app@new");
    assertThat(instance.spec())
        .isEqualTo(
            new RoleInstance.Spec("app", "new", "t", Optional.of("v1"), Map.of("port", 80L)));
    assertThat(instance.status()).isEqualTo(before.status());
    assertThat(instance.meta().owners()).isEmpty();

    var output = get(TemplateOutput.KIND, "app@new");
    assertThat(output.spec())
        .isEqualTo(new TemplateOutput.Spec("app", "new", "t", Map.of("port", 80L)));
    assertThat(output.status())
        .contains(
            TemplateOutput.Status.of(
                1,
                Optional.of("d1"),
                "input",
                List.of(new TemplateOutput.File("/etc/web", "ab", "0644", 3)),
                List.of(new TemplateOutput.ProcessFile("app", PROCESSES)),
                List.of(ACCEPTED)));

    var group = get(ProcessGroup.KIND, "app@new");
    assertThat(group.spec()).isEqualTo(new ProcessGroup.Spec("app", "new", "app", PROCESSES));
    assertThat(group.status())
        .contains(new ProcessGroup.Status(1, 2, 1, List.of(), List.of(ACCEPTED)));

    for (var copy : List.of(instance, output, group)) {
      assertThat(copy.meta().labels()).isEqualTo(Map.of("node", "new", "tier", "front"));
      assertThat(copy.meta().annotations()).isEqualTo(Map.of("note", "kept"));
    }
    for (var child : List.of(output, group)) {
      assertThat(child.meta().owners()).isEmpty();
    }
    assertThat(instance.meta().finalizers()).containsExactly(RoleInstance.FINALIZER);
    assertThat(output.meta().finalizers()).containsExactly(TemplateOutput.FINALIZER);
    assertThat(group.meta().finalizers()).containsExactly(ProcessGroup.FINALIZER);
  }

  @Test
  void aStatusOfAnOlderSpecIsNotTakenForOneOfTheCopy() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    var instance = get(RoleInstance.KIND, "app@old");
    site.put(
        instance.withSpec(
            new RoleInstance.Spec("app", "old", "t", Optional.of("v2"), Map.of("port", 81L))));

    rename("new", "a1");
    assertThat(instanceStatus("app@new").observedGeneration()).isZero();
    assertThat(get(TemplateOutput.KIND, "app@new").status().orElseThrow().observedGeneration())
        .isEqualTo(1);
  }

  @Test
  void nobodyTidiesUpForTheOldObjects() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    step("new", "a1");
    step("new", "a1");

    for (var kind : List.of(RoleInstance.KIND, TemplateOutput.KIND, ProcessGroup.KIND)) {
      assertThat(get(kind, "app@old").meta().finalizers()).isEmpty();
      assertThat(get(kind, "app@old").meta().deleting()).isFalse();
      assertThat(get(kind, "app@new").meta().owners()).isEmpty();
    }
  }

  @Test
  void whatExistsUnderTheNewNameStaysAsItIs() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    site.put(
        Resource.of(
            RoleInstance.KIND,
            "app@new",
            new RoleInstance.Spec("app", "new", "other", Optional.empty(), Map.of())));

    rename("new", "a1");
    assertThat(get(RoleInstance.KIND, "app@new").spec().template()).isEqualTo("other");
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new");
    assertThat(site.names(ProcessGroup.KIND)).containsExactly("app@new");
  }

  @Test
  void rolesThatAppearUnderTheOldNameLaterAreTakenAlong() {
    site.put(Site.claimed("old", "a1"));
    rename("new", "a1");
    role("late", "old");

    assertThat(rename("new", "a1")).isGreaterThan(0);
    assertThat(site.names(RoleInstance.KIND)).containsExactly("late@new");
    assertThat(site.names(ProcessGroup.KIND)).containsExactly("late@new");
  }

  @Test
  void rolesOfOtherMachinesAreNotTouched() {
    site.put(Site.claimed("old", "a1"));
    site.put(Site.claimed("n2", "b2"));
    role("app", "old");
    role("app", "n2");
    var others = get(ProcessGroup.KIND, "app@n2");

    rename("new", "a1");
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@n2", "app@new");
    assertThat(get(ProcessGroup.KIND, "app@n2")).isEqualTo(others);
  }

  @Test
  void aFormerNameThatAnotherMachineHasTakenKeepsItsRoles() {
    site.put(Site.claimed("new", "a1", "old"));
    site.put(Site.claimed("old", "b2"));
    role("app", "old");

    assertThat(rename("new", "a1")).isZero();
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@old");
  }

  @Test
  void rolesAreTakenAlongAfterTheOldNodeWasRemoved() {
    site.put(Site.claimed("new", "a1", "old"));
    role("app", "old");

    rename("new", "a1");
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new");
  }

  @Test
  void aReleaseKeepsItsFilesAndItsState() {
    site.put(Site.claimed("old", "a1"));
    var digest = "sha256:" + "1".repeat(64);
    var spec =
        new DeploymentRef.Spec(
            "app", "old", "1", "main", 1, 0, "/app.tar", Optional.of(digest), false);
    var status =
        new DeploymentRef.Status(
            1,
            DeploymentRef.State.CREATED,
            Optional.of(digest),
            3,
            Optional.of(3L),
            Optional.of("/releases/app/files"),
            DeploymentRef.Attempts.NONE,
            Optional.empty(),
            "",
            List.of(ACCEPTED),
            Optional.of(2L));
    var ref =
        site.put(
            new Resource<>(
                DeploymentRef.KIND,
                meta(DeploymentRef.name(spec), "old", DeploymentRef.FINALIZER),
                spec,
                Optional.of(status)));
    site.put(
        new Resource<>(
            Artifact.KIND,
            meta(Artifact.name(digest, "old"), "old", Artifact.FINALIZER),
            new Artifact.Spec("old", digest),
            Optional.empty()));

    rename("new", "a1");

    var renamed = spec.on("new");
    assertThat(site.names(DeploymentRef.KIND)).containsExactly("app@1@main@g1.l0@new");
    var copy = get(DeploymentRef.KIND, DeploymentRef.name(renamed));
    assertThat(copy.spec()).isEqualTo(renamed);
    assertThat(DeploymentRef.key(copy.spec())).isEqualTo(DeploymentRef.key(ref.spec()));
    assertThat(copy.status()).contains(status);
    assertThat(copy.meta().finalizers()).containsExactly(DeploymentRef.FINALIZER);
    assertThat(site.names(Artifact.KIND)).containsExactly(Artifact.name(digest, "new"));
  }
}
