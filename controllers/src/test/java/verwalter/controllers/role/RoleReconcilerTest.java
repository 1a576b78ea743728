package verwalter.controllers.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.InstanceError;
import verwalter.model.InstanceError.Retry;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.engine.MemoryStore;

/** The condition of roles over a store with nodes, their schedules and their instances. */
class RoleReconcilerTest {
  private static final Optional<InstanceError> NONE = Optional.empty();
  private static final Optional<InstanceError> DIED =
      Optional.of(new InstanceError("died", Retry.AFTER_DELAY, Optional.empty()));

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final RunningControllers controllers = new RunningControllers();

  @BeforeEach
  void aRole() {
    role("web");
  }

  private void begin() {
    var loop = world.loop("config");
    var authored = AuthoredStore.of(store, Author.ofLeader(Writer.ROLE, store.epoch()));
    controllers.start(loop, new RoleReconciler(authored, loop).controller());
    settle();
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(3));
  }

  private <S, T> void put(Resource<S, T> object) {
    var present = store.get(object.type(), object.name());
    var next = present.map(it -> object.withMeta(it.meta())).orElse(object);
    var written = world.await(store.put(next));
    object.status().ifPresent(status -> world.await(store.putStatus(written.withStatus(status))));
  }

  private void role(String name) {
    put(
        Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.of(Map.of("v1", Map.of())))
            .withStatus(new RoleConfig.Status(1, List.of("v1"), List.of())));
  }

  private void node(String name, Condition.Truth ready) {
    var condition = new Condition(ConditionType.READY.title(), ready, "Any", "", 1, world.now());
    put(
        Resource.of(Node.KIND, name, new Node.Spec(false))
            .withStatus(
                new Node.Status(
                    1,
                    List.of(),
                    Map.of(),
                    new Node.Capacity(1, 1),
                    Optional.empty(),
                    new Node.Roles(0, 0, 0),
                    List.of(condition))));
  }

  private Resource<RoleInstance.Spec, RoleInstance.Status> instance(String node) {
    return Resource.of(
        RoleInstance.KIND,
        RoleInstance.name("web", node),
        new RoleInstance.Spec("web", node, "web", Optional.empty(), Map.of()));
  }

  private void instance(String node, long restarts, Optional<InstanceError> error) {
    var state = error.isPresent() ? RoleInstance.State.BROKEN : RoleInstance.State.RUNNING;
    put(
        instance(node)
            .withStatus(
                new RoleInstance.Status(1, state, 1, 1, restarts, world.now(), "", List.of())
                    .withError(error)));
  }

  private void share(String node, boolean accepted) {
    var condition =
        accepted
            ? Condition.ofTrue(ConditionType.ACCEPTED, Reason.ACCEPTED, "", 1, world.now())
            : Condition.ofFalse(
                ConditionType.ACCEPTED, Reason.ROLES_REFUSED, "web", 1, world.now());
    put(
        Resource.of(NodeSchedule.KIND, node, new NodeSchedule.Spec("hash", Map.of("web", Map.of())))
            .withStatus(
                new NodeSchedule.Status(1, Optional.of("hash"), Map.of(), List.of(condition))));
  }

  private Condition healthy() {
    return store
        .get(RoleConfig.KIND, "web")
        .flatMap(Resource::status)
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.HEALTHY))
        .orElseThrow();
  }

  private long runs() {
    return controllers.counters().stream().mapToLong(each -> each.reconciles()).sum();
  }

  @Test
  void theErrorsOfAllNodesReachTheRole() {
    node("a", Condition.Truth.TRUE);
    node("b", Condition.Truth.TRUE);
    instance("a", 0, NONE);
    instance("b", 0, NONE);
    begin();
    assertThat(healthy().isTrue()).isTrue();

    instance("b", 0, DIED);
    settle();
    assertThat(healthy().isFalse()).isTrue();
    assertThat(healthy().message()).isEqualTo("b: died; it is tried again after a delay");

    world.await(store.remove(store.get(RoleInstance.KIND, "web@b").orElseThrow()));
    settle();
    assertThat(healthy().isTrue()).isTrue();
  }

  @Test
  void theInstancesOfASilentNodeAreUnknown() {
    node("a", Condition.Truth.TRUE);
    node("b", Condition.Truth.TRUE);
    instance("a", 0, NONE);
    instance("b", 0, DIED);
    begin();
    assertThat(healthy().isFalse()).isTrue();

    node("b", Condition.Truth.UNKNOWN);
    settle();
    assertThat(healthy().status()).isEqualTo(Condition.Truth.UNKNOWN);
    assertThat(healthy().message()).isEqualTo("unknown on b");

    instance("a", 0, DIED);
    settle();
    assertThat(healthy().message()).startsWith("a: died;").endsWith("; unknown on b");
  }

  @Test
  void aRoleWhoseFilesWereNeverReadIsNotHealthy() {
    put(
        Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.UNREAD)
            .withStatus(
                new RoleConfig.Status(
                    1,
                    List.of(),
                    List.of(
                        Condition.ofFalse(
                            ConditionType.CONFIG_VALID,
                            Reason.UNREADABLE,
                            "line 1",
                            1,
                            world.now())))));
    begin();
    assertThat(healthy().status()).isEqualTo(Condition.Truth.UNKNOWN);
    assertThat(healthy().reason()).isEqualTo("Unreadable");
    assertThat(healthy().message()).isEqualTo("its files were never read");

    role("web");
    settle();
    assertThat(healthy().isTrue()).isTrue();
  }

  @Test
  void aNodeWithoutAnObjectIsUnknown() {
    instance("a", 0, NONE);
    begin();
    assertThat(healthy().message()).isEqualTo("unknown on a");
  }

  @Test
  void anInstanceThatANodeShouldHaveAndRefusesIsUnknown() {
    node("a", Condition.Truth.TRUE);
    share("a", false);
    begin();
    assertThat(healthy().message()).isEqualTo("unknown on a");

    share("a", true);
    settle();
    assertThat(healthy().isTrue()).as("it was handed to others").isTrue();

    node("a", Condition.Truth.UNKNOWN);
    settle();
    assertThat(healthy().message()).isEqualTo("unknown on a");

    world.await(store.remove(store.get(NodeSchedule.KIND, "a").orElseThrow()));
    settle();
    assertThat(healthy().isTrue()).isTrue();
  }

  @Test
  void anInstanceWithoutAStatusIsUnknown() {
    node("a", Condition.Truth.TRUE);
    put(instance("a"));
    begin();
    assertThat(healthy().message()).isEqualTo("unknown on a");
  }

  @Test
  void aRoleWithoutAStatusIsLeftAlone() {
    put(Resource.of(RoleConfig.KIND, "new", RoleConfig.Spec.of(Map.of("v1", Map.of()))));
    begin();
    assertThat(store.get(RoleConfig.KIND, "new").orElseThrow().status()).isEmpty();
  }

  @Test
  void changesOfAThousandNodesWithoutAnErrorCauseNoWriteAndNoRun() {
    for (int i = 0; i < 1000; i++) {
      node("n" + i, Condition.Truth.TRUE);
      instance("n" + i, 0, i == 0 ? DIED : NONE);
    }
    begin();
    assertThat(healthy().message()).isEqualTo("n0: died; it is tried again after a delay");
    long revision = store.revision();
    long runs = runs();

    for (int i = 0; i < 1000; i++) {
      instance("n" + i, 1, i == 0 ? DIED : NONE);
    }
    long own = store.revision();
    settle();
    assertThat(own).isGreaterThan(revision);
    assertThat(store.revision()).isEqualTo(own);
    assertThat(runs()).isEqualTo(runs);

    for (int i = 1; i < 1000; i++) {
      instance("n" + i, 1, DIED);
    }
    own = store.revision();
    settle();
    assertThat(healthy().message()).contains("and 999 more on");
    assertThat(store.revision()).as("one write for all nodes").isEqualTo(own + 1);
  }
}
