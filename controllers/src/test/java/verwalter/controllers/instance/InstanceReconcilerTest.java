package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;

/** Tests the reconciler with a store. */
class InstanceReconcilerTest {
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final VirtualWorld world = new VirtualWorld(1);
  private final CountingStore store =
      new CountingStore(new MemoryStore(world.clock(), world.uids()));
  private final Loop loop = world.loop("instance");

  private InstanceReconciler reconciler(StartLimits limits) {
    return new InstanceReconciler(store, loop, new Events(store, loop, "n1"), "n1", limits);
  }

  @BeforeEach
  void start() {
    var reconciler = reconciler(StartLimits.NONE);
    loop.execute(() -> reconciler.controller().startOn(loop));
  }

  private static ProcessSpec spec(int count) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, "image", "/c.yaml", count, Map.of(), List.of(), List.of());
  }

  private void instance(String role, String node) {
    var spec = new RoleInstance.Spec(role, node, role, Optional.empty(), Map.of());
    world.await(store.put(Resource.of(RoleInstance.KIND, RoleInstance.name(role, node), spec)));
    world.runFor(A_WHILE);
  }

  private RoleInstance.Status status(String role) {
    return store
        .get(RoleInstance.KIND, RoleInstance.name(role, "n1"))
        .orElseThrow()
        .status()
        .orElseThrow();
  }

  /** Simulates the template controller. */
  private void rendered(String role, String... sandboxes) {
    var output = store.get(TemplateOutput.KIND, RoleInstance.name(role, "n1")).orElseThrow();
    var generation = output.meta().generation();
    var files =
        List.of(sandboxes).stream()
            .map(it -> new TemplateOutput.ProcessFile(it, Map.of("web", spec(1))))
            .toList();
    var condition =
        Condition.ofTrue(ConditionType.RENDERED, Reason.IN_PLACE, "", generation, world.now());
    world.await(
        store.putStatus(
            output.withStatus(
                TemplateOutput.Status.of(
                    generation, Optional.empty(), "", List.of(), files, List.of(condition)))));
    world.runFor(A_WHILE);
  }

  /** Simulates the process controller. */
  private void running(String sandbox, int count) {
    var group = store.get(ProcessGroup.KIND, ProcessGroup.name(sandbox, "n1")).orElseThrow();
    world.await(
        store.putStatus(
            group.withStatus(
                new ProcessGroup.Status(
                    group.meta().generation(), 1, count, List.of(), List.of()))));
    world.runFor(A_WHILE);
  }

  private <S, T> void drop(Resource<S, T> object, String finalizer) {
    world.await(store.put(object.withMeta(object.meta().removing(finalizer))));
    world.runFor(A_WHILE);
  }

  private List<String> events() {
    return store.list(Event.KIND).stream().map(each -> each.spec().reason()).sorted().toList();
  }

  @Test
  void anInstanceGoesFromRenderingToRunning() {
    instance("app", "n1");
    assertThat(status("app").state()).isEqualTo(State.RENDERING);

    rendered("app", "app");
    assertThat(status("app").state()).isEqualTo(State.BOOTING);

    running("app", 1);
    assertThat(status("app").state()).isEqualTo(State.RUNNING);
    assertThat(events()).containsExactly("BecameBooting", "BecameRendering", "BecameRunning");
  }

  @Test
  void anInstanceOfAnotherNodeIsNotTouched() {
    instance("app", "n2");

    assertThat(store.list(TemplateOutput.KIND)).isEmpty();
    assertThat(store.get(RoleInstance.KIND, "app@n2").orElseThrow().meta().finalizers()).isEmpty();
  }

  @Test
  void anInstanceWhoseSandboxBelongsToAnotherRoleIsBroken() {
    instance("app", "n1");
    rendered("app", "shared");
    instance("other", "n1");
    rendered("other", "shared");

    assertThat(status("other").state()).isEqualTo(State.BROKEN);
    assertThat(status("other").reason()).isEqualTo("sandbox shared belongs to role app already");
    assertThat(
            store.list(Event.KIND).stream()
                .filter(each -> each.spec().type() == Event.Type.WARNING)
                .map(each -> each.spec().regarding().name()))
        .containsExactly("other@n1");
  }

  @Test
  void aDeletedInstanceIsRemovedAfterItsProcessesAndFiles() {
    instance("app", "n1");
    rendered("app", "app");
    world.await(store.remove(store.get(RoleInstance.KIND, "app@n1").orElseThrow()));
    world.runFor(A_WHILE);
    assertThat(status("app").reason()).isEqualTo("stopping its processes");
    assertThat(store.get(TemplateOutput.KIND, "app@n1").orElseThrow().meta().deleting()).isFalse();

    drop(store.get(ProcessGroup.KIND, "app@n1").orElseThrow(), ProcessGroup.FINALIZER);
    assertThat(status("app").reason()).isEqualTo("removing its files");

    drop(store.get(TemplateOutput.KIND, "app@n1").orElseThrow(), TemplateOutput.FINALIZER);
    assertThat(store.get(RoleInstance.KIND, "app@n1")).isEmpty();
  }

  @Test
  void anEventReadsTheGroupsOfItsInstanceOnly() {
    for (int i = 0; i < 20; i++) {
      instance("app" + i, "n1");
      rendered("app" + i, "app" + i);
    }
    store.reset();

    running("app7", 1);

    assertThat(status("app7").state()).isEqualTo(State.RUNNING);
    assertThat(store.listed(ProcessGroup.KIND)).isBetween(1L, 6L);
    assertThat(store.listed(RoleInstance.KIND)).isZero();
    assertThat(store.listed(TemplateOutput.KIND)).isZero();
  }

  @Test
  void anUnchangedStatusIsNotWritten() {
    instance("app", "n1");
    rendered("app", "app");
    running("app", 1);
    store.reset();

    var group = store.get(ProcessGroup.KIND, "app@n1").orElseThrow();
    world.await(store.put(group.withMeta(group.meta().withAnnotations(Map.of("note", "x")))));
    world.runFor(A_WHILE);

    assertThat(store.count(RoleInstance.KIND).asked()).isZero();
    assertThat(store.count(Event.KIND).asked()).isZero();
  }

  @Test
  void aBrokenInstanceIsReportedAgainWhenTheReasonChanges() {
    instance("app", "n1");
    failed("app", "no such variable");
    failed("app", "no such variable");
    failed("app", "disk full");

    assertThat(
            store.list(Event.KIND).stream()
                .map(Resource::spec)
                .filter(event -> event.reason().equals("BecameBroken")))
        .allMatch(event -> event.type() == Event.Type.WARNING && event.count() == 1)
        .extracting(Event.Spec::message)
        .containsExactlyInAnyOrder("no such variable", "disk full");
  }

  /** What the template controller does when it fails. */
  private void failed(String role, String why) {
    var output = store.get(TemplateOutput.KIND, RoleInstance.name(role, "n1")).orElseThrow();
    var generation = output.meta().generation();
    var condition =
        Condition.ofFalse(
            ConditionType.RENDERED, Reason.RENDER_FAILED, why, generation, world.now());
    world.await(
        store.putStatus(
            output.withStatus(
                TemplateOutput.Status.of(
                    generation, Optional.empty(), "", List.of(), List.of(), List.of(condition)))));
    world.runFor(A_WHILE);
  }

  @Test
  void anotherReasonOfAnInstanceThatIsNotBrokenIsNoEvent() {
    instance("app", "n1");
    rendered("app", "app");
    running("app", 0);

    assertThat(status("app").reason()).isEqualTo("0 of 1 processes run");
    assertThat(store.list(Event.KIND).stream().map(each -> each.spec()))
        .filteredOn(event -> event.reason().equals("BecameBooting"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.type()).isEqualTo(Event.Type.NORMAL);
              assertThat(event.message()).isEqualTo("handing its processes to the supervisor");
              assertThat(event.regarding().name()).isEqualTo("app@n1");
            });
  }

  @Test
  void onlyInstancesOfTheNodeAreOfConcern() {
    instance("app", "n1");
    instance("app", "n2");
    var reconciler = reconciler(StartLimits.NONE);

    assertThat(reconciler.concerns(store.get(RoleInstance.KIND, "app@n1").orElseThrow())).isTrue();
    assertThat(reconciler.concerns(store.get(RoleInstance.KIND, "app@n2").orElseThrow())).isFalse();
  }

  @Test
  void theGroupOfASandboxThatIsNoLongerRenderedIsRemoved() {
    instance("app", "n1");
    rendered("app", "one", "two");
    assertThat(store.list(ProcessGroup.KIND)).hasSize(2);
    rendered("app", "two");

    var one = store.get(ProcessGroup.KIND, "one@n1");
    assertThat(one.map(each -> each.meta().deleting()).orElse(true)).isTrue();
    assertThat(store.get(ProcessGroup.KIND, "two@n1").orElseThrow().meta().deleting()).isFalse();
  }

  @Test
  void aGroupLeftByAnEarlierInstanceOfTheRoleIsItsOwn() {
    world.await(
        store.put(
            Resource.of(
                ProcessGroup.KIND,
                "app@n1",
                new ProcessGroup.Spec("app", "n1", "app", Map.of("old", spec(2))))));
    instance("app", "n1");
    rendered("app", "app");

    assertThat(status("app").state()).isEqualTo(State.BOOTING);
    assertThat(store.get(ProcessGroup.KIND, "app@n1").orElseThrow().spec().processes())
        .isEqualTo(Map.of("web", spec(1)));
    running("app", 1);
    assertThat(status("app").state()).isEqualTo(State.RUNNING);
  }

  @Test
  void anInstanceWithChildrenIsNotCleanedUpYet() {
    instance("app", "n1");
    var reconciler = reconciler(StartLimits.NONE);
    var app = store.get(RoleInstance.KIND, "app@n1").orElseThrow();

    assertThat(world.await(reconciler.cleanUp(app))).isFalse();
  }
}
