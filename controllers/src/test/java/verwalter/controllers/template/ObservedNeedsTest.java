package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.engine.MemoryStore;

/** A role is done when its newest files are in place and all its processes run. */
class ObservedNeedsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Map<String, ProcessSpec> PROCESSES = processes("v1");

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());

  private static Map<String, ProcessSpec> processes(String image) {
    return Map.of(
        "web",
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON, image, "/c.yaml", 2, Map.of(), List.of(), List.of()));
  }

  @BeforeEach
  void allIsDone() {
    output(1, true);
    instance("t", Map.of(), 1, RoleInstance.State.RUNNING);
    group(PROCESSES, 1, 2);
  }

  private <S, T> void put(Resource<S, T> next) {
    var old = store.get(next.type(), next.name());
    world.await(
        store.put(
            old.map(each -> each.withSpec(next.spec())).orElse(next.withStatus(status(next)))));
    var now = store.get(next.type(), next.name()).orElseThrow();
    world.await(store.putStatus(now.withStatus(status(next))));
  }

  private static <S, T> T status(Resource<S, T> resource) {
    return resource.status().orElseThrow();
  }

  private void output(long observed, boolean rendered) {
    var condition =
        rendered
            ? Condition.ofTrue(ConditionType.RENDERED, Reason.IN_PLACE, "", observed, NOW)
            : Condition.ofFalse(ConditionType.RENDERED, Reason.RENDER_FAILED, "", observed, NOW);
    put(
        Resource.of(
                TemplateOutput.KIND, "web@n1", new TemplateOutput.Spec("web", "n1", "t", Map.of()))
            .withStatus(
                TemplateOutput.Status.of(
                    observed,
                    Optional.empty(),
                    "",
                    List.of(),
                    List.of(new TemplateOutput.ProcessFile("box", PROCESSES)),
                    List.of(condition))));
  }

  private void instance(
      String template, Map<String, Object> variables, long observed, RoleInstance.State state) {
    put(
        Resource.of(
                RoleInstance.KIND,
                "web@n1",
                new RoleInstance.Spec("web", "n1", template, Optional.empty(), variables))
            .withStatus(new RoleInstance.Status(observed, state, 2, 2, 0, NOW, "", List.of())));
  }

  private void group(Map<String, ProcessSpec> processes, long observed, int running) {
    put(
        Resource.of(
                ProcessGroup.KIND, "box@n1", new ProcessGroup.Spec("web", "n1", "box", processes))
            .withStatus(new ProcessGroup.Status(observed, 2, running, List.of(), List.of())));
  }

  private Set<String> done() {
    return ObservedNeeds.of(store, "n1", Map.of(), output -> true).done();
  }

  private void assertDone(boolean done) {
    assertThat(done()).isEqualTo(done ? Set.of("web") : Set.of());
    assertThat(ObservedNeeds.of(store, "n1", Map.of(), output -> true).present())
        .containsExactly("web");
  }

  @Test
  void aRoleWhoseProcessesRunIsDone() {
    assertDone(true);
    assertThat(ObservedNeeds.of(store, "n1", Map.of(), output -> false).done()).isEmpty();
    assertThat(ObservedNeeds.of(store, "n2", Map.of(), output -> true).present()).isEmpty();
    var known = Map.of("web", List.of("db"));
    assertThat(ObservedNeeds.of(store, "n1", known, output -> true).known()).isEqualTo(known);
  }

  @Test
  void aRenderingThatFailedOrIsOldIsNotDone() {
    output(1, false);
    assertDone(false);
    output(0, true);
    assertDone(false);
    output(1, true);
    assertDone(true);
  }

  @Test
  void anInstanceWithAnotherSpecIsNotDone() {
    instance("other", Map.of(), 2, RoleInstance.State.RUNNING);
    assertDone(false);
    instance("t", Map.of("a", 1L), 3, RoleInstance.State.RUNNING);
    assertDone(false);
    instance("t", Map.of(), 4, RoleInstance.State.RUNNING);
    assertDone(true);
  }

  @Test
  void anInstanceIsDoneInItsLastStates() {
    for (var state : RoleInstance.State.values()) {
      instance("t", Map.of(), 1, state);
      assertDone(state == RoleInstance.State.RUNNING || state == RoleInstance.State.HALTED);
    }
    instance("t", Map.of(), 0, RoleInstance.State.RUNNING);
    assertDone(false);
  }

  @Test
  void aGroupWithOtherOrTooFewProcessesIsNotDone() {
    group(PROCESSES, 1, 1);
    assertDone(false);
    group(PROCESSES, 0, 2);
    assertDone(false);
    group(PROCESSES, 1, 3);
    assertDone(true);
    group(processes("v2"), 2, 2);
    assertDone(false);
  }

  @Test
  void aRoleWithoutItsGroupOrInstanceIsNotDone() {
    world.await(store.remove(store.get(ProcessGroup.KIND, "box@n1").orElseThrow()));
    assertDone(false);
    group(PROCESSES, 1, 2);
    assertDone(true);
    world.await(store.remove(store.get(RoleInstance.KIND, "web@n1").orElseThrow()));
    assertDone(false);
  }

  @Test
  void anOutputThatIsBeingRemovedIsNotPresent() {
    var output = store.get(TemplateOutput.KIND, "web@n1").orElseThrow();
    world.await(store.put(output.withMeta(output.meta().adding("someone/else"))));
    world.await(store.remove(store.get(TemplateOutput.KIND, "web@n1").orElseThrow()));
    var needs = ObservedNeeds.of(store, "n1", Map.of(), each -> true);
    assertThat(needs.present()).isEmpty();
    assertThat(needs.done()).isEmpty();
  }
}
