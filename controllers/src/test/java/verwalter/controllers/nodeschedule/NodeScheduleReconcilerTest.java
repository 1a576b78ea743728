package verwalter.controllers.nodeschedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.stores.api.Change;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;

/** Tests the reconciler with a store. */
class NodeScheduleReconcilerTest {
  private static final Duration A_WHILE = Duration.ofSeconds(5);
  private static final Step NOTHING = () -> {};

  /** Something that happens while the responder is asked. */
  @FunctionalInterface
  private interface Step {
    void run() throws Scheduler.Failed;
  }

  private final VirtualWorld world = new VirtualWorld(1);
  private final CountingStore store =
      new CountingStore(new MemoryStore(world.clock(), world.uids()));
  private final Loop loop = world.loop("share");
  private boolean failing;
  private Step whenAsked = NOTHING;
  private boolean readsSchedule;
  private int asked;

  private NodeScheduleReconciler start() {
    var reconciler = new NodeScheduleReconciler(store, loop, "n1", new Answers());
    loop.execute(() -> reconciler.controller().startOn(loop));
    return reconciler;
  }

  private final class Answers implements Responder {
    @Override
    public Map<String, Map<String, Object>> roles(
        NodeSchedule.Spec share, Optional<Schedule.Spec> schedule) throws Scheduler.Failed {
      asked++;
      var now = whenAsked;
      whenAsked = NOTHING;
      now.run();
      if (failing) {
        throw new Scheduler.Failed("no answer", "");
      }
      var roles = new TreeMap<>(share.roles());
      schedule.ifPresent(it -> roles.put("whole", Map.of("hash", it.hash())));
      return roles;
    }

    @Override
    public boolean readsSchedule() {
      return readsSchedule;
    }
  }

  private void share(String node, String hash, Map<String, Map<String, Object>> roles) {
    var spec = new NodeSchedule.Spec(hash, roles);
    world.await(
        store.put(
            store
                .get(NodeSchedule.KIND, node)
                .map(old -> old.withSpec(spec))
                .orElseGet(() -> Resource.of(NodeSchedule.KIND, node, spec))));
    world.runFor(A_WHILE);
  }

  private void state(String name, State state) {
    var instance = store.get(RoleInstance.KIND, name).orElseThrow();
    world.await(
        store.putStatus(
            instance.withStatus(
                new RoleInstance.Status(
                    instance.meta().generation(), state, 0, 0, 0, world.now(), "", List.of()))));
    world.runFor(A_WHILE);
  }

  private NodeSchedule.Status status() {
    return store.get(NodeSchedule.KIND, "n1").orElseThrow().status().orElseThrow();
  }

  private Condition accepted() {
    return Condition.find(status().conditions(), ConditionType.ACCEPTED).orElseThrow();
  }

  private List<String> instances() {
    return store.list(RoleInstance.KIND).stream().map(Resource::name).toList();
  }

  @Test
  void theShareIsAppliedOnceItsInstancesRun() {
    start();
    share("n1", "h1", Map.of("app", Map.of("template", "app"), "db", Map.of()));

    assertThat(instances()).containsExactly("app@n1", "db@n1");
    assertThat(status().roles()).isEqualTo(Map.of("app", State.INITIAL, "db", State.INITIAL));
    assertThat(status().applied()).isEmpty();
    assertThat(accepted().isTrue()).isTrue();

    state("app@n1", State.RUNNING);
    assertThat(status().applied()).isEmpty();
    state("db@n1", State.HALTED);
    assertThat(status().applied()).contains("h1");
    assertThat(status().roles()).isEqualTo(Map.of("app", State.RUNNING, "db", State.HALTED));
    assertThat(status().observedGeneration()).isEqualTo(1);
  }

  @Test
  void theAppliedHashIsKeptUntilTheNextShareIsApplied() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    state("app@n1", State.RUNNING);

    share("n1", "h2", Map.of("app", Map.of("more", 1L)));
    assertThat(status().applied()).contains("h1");
    state("app@n1", State.RUNNING);
    assertThat(status().applied()).contains("h2");
  }

  @Test
  void anInstanceOutsideTheShareIsRemoved() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    share("n1", "h2", Map.of());

    assertThat(store.get(RoleInstance.KIND, "app@n1").orElseThrow().meta().deleting()).isTrue();
    assertThat(status().applied()).isEmpty();
  }

  @Test
  void aShareWithoutAScheduleChangesNothing() {
    start();
    share("n1", "", Map.of("app", Map.of()));

    assertThat(instances()).isEmpty();
    assertThat(asked).isZero();
  }

  @Test
  void theShareOfAnotherNodeIsNotTouched() {
    start();
    share("n2", "h1", Map.of("app", Map.of()));

    assertThat(instances()).isEmpty();
    assertThat(store.get(NodeSchedule.KIND, "n2").orElseThrow().status()).isEmpty();
  }

  @Test
  void aRoleWithAnInvalidNameIsRefused() {
    start();
    share("n1", "h1", Map.of("bad name", Map.of()));

    assertThat(accepted().isFalse()).isTrue();
    assertThat(accepted().reason()).isEqualTo("RolesRefused");
    assertThat(accepted().message()).contains("bad name");
    assertThat(status().applied()).isEmpty();
  }

  @Test
  void unknownRolesChangeNothingAndAreRetried() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    state("app@n1", State.RUNNING);
    failing = true;
    share("n1", "h2", Map.of());

    assertThat(accepted().reason()).isEqualTo("QueryFailed");
    assertThat(accepted().message()).isEqualTo("no answer (running roles are not changed)");
    assertThat(status().applied()).contains("h1");
    assertThat(store.get(RoleInstance.KIND, "app@n1").orElseThrow().meta().deleting()).isFalse();

    failing = false;
    world.runFor(Duration.ofSeconds(30));
    assertThat(accepted().isTrue()).isTrue();
    assertThat(store.get(RoleInstance.KIND, "app@n1").orElseThrow().meta().deleting()).isTrue();
  }

  @Test
  void aChangeOfTheResponderAppliesTheShareAgain() {
    var reconciler = start();
    share("n1", "h1", Map.of());
    int before = asked;
    loop.execute(reconciler::responderChanged);
    world.runFor(A_WHILE);

    assertThat(asked).isEqualTo(before + 1);
  }

  @Test
  void aNewScheduleIsReadOnlyIfTheResponderUsesIt() {
    start();
    share("n1", "h1", Map.of());
    int before = asked;
    schedule("one");
    assertThat(asked).isEqualTo(before);
    assertThat(instances()).isEmpty();

    readsSchedule = true;
    schedule("two");
    assertThat(asked).isGreaterThan(before);
    assertThat(instances()).containsExactly("whole@n1");
  }

  private void schedule(String word) {
    var spec = Schedule.Spec.of(Map.of("word", word), List.of(), "n1", world.now());
    world.await(
        store.put(
            store
                .get(Schedule.KIND, Schedule.CURRENT)
                .map(old -> old.withSpec(spec))
                .orElseGet(() -> Resource.of(Schedule.KIND, Schedule.CURRENT, spec))));
    world.runFor(A_WHILE);
  }

  @Test
  void instancesOfOtherNodesAreNotRead() {
    for (int i = 0; i < 50; i++) {
      world.await(
          store.put(
              Resource.of(
                  RoleInstance.KIND,
                  RoleInstance.name("other" + i, "n2"),
                  new RoleInstance.Spec("other" + i, "n2", "", Optional.empty(), Map.of()))));
    }
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    store.reset();

    state("app@n1", State.RUNNING);

    assertThat(status().applied()).contains("h1");
    assertThat(store.listed(RoleInstance.KIND)).isBetween(1L, 8L);
  }

  @Test
  void anAnswerForAShareThatWasReplacedMeanwhileIsNotApplied() {
    var made = new HashSet<String>();
    store.watch(
        RoleInstance.KIND,
        world.loop("watcher"),
        change -> {
          if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
            made.add(put.resource().name());
          }
        });
    start();
    whenAsked =
        () -> {
          var old = store.get(NodeSchedule.KIND, "n1").orElseThrow();
          store.put(old.withSpec(new NodeSchedule.Spec("h2", Map.of("db", Map.of()))));
        };
    share("n1", "h1", Map.of("app", Map.of()));

    assertThat(made).containsExactly("db@n1");
  }

  @Test
  void aFailureOfAShareThatWasReplacedMeanwhileIsNotReported() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    var conditions = new ArrayList<String>();
    store.watch(
        NodeSchedule.KIND,
        world.loop("watcher"),
        change -> {
          if (change instanceof Change.Put<NodeSchedule.Spec, NodeSchedule.Status> put) {
            put.resource()
                .status()
                .ifPresent(it -> conditions.add(it.conditions().get(0).reason()));
          }
        });
    failing = true;
    whenAsked =
        () -> {
          failing = false;
          var old = store.get(NodeSchedule.KIND, "n1").orElseThrow();
          store.put(old.withSpec(new NodeSchedule.Spec("h3", Map.of())));
          throw new Scheduler.Failed("no answer", "");
        };
    share("n1", "h2", Map.of());
    world.runFor(Duration.ofMinutes(1));

    assertThat(conditions).isNotEmpty().doesNotContain("QueryFailed");
  }

  @Test
  void aStoppedControllerAsksNothing() {
    var reconciler = new NodeScheduleReconciler(store, loop, "n1", new Answers());
    var controllers = new RunningControllers();
    controllers.start(loop, reconciler.controller());
    world.runFor(A_WHILE);
    var stopped = controllers.stop();
    world.runFor(A_WHILE);
    assertThat(stopped.succeeded()).isTrue();

    share("n1", "h1", Map.of("app", Map.of()));
    assertThat(asked).isZero();
  }

  @Test
  void aResponderReadsOnlyTheShareUnlessItSaysOtherwise() {
    Responder plain = (share, schedule) -> share.roles();
    assertThat(plain.readsSchedule()).isFalse();
  }

  @Test
  void anInstanceThatIsBeingRemovedIsNotSettled() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    state("app@n1", State.RUNNING);
    share("n1", "h2", Map.of());
    world.runFor(Duration.ofMinutes(5));

    assertThat(store.get(RoleInstance.KIND, "app@n1").orElseThrow().meta().deleting()).isTrue();
    assertThat(status().applied()).contains("h1");
  }

  @Test
  void aRunningInstanceOfAnOlderSpecIsNotSettled() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    state("app@n1", State.RUNNING);
    share("n1", "h2", Map.of("app", Map.of("more", 1L)));
    var share = store.get(NodeSchedule.KIND, "n1").orElseThrow();
    world.await(
        store.put(share.withMeta(share.meta().withAnnotations(Map.of("note", "look again")))));
    world.runFor(A_WHILE);

    assertThat(status().applied()).contains("h1");
  }

  @Test
  void aShareIsAppliedOnlyWhenItsInstancesRunOrHaveNothingToRun() {
    start();
    share("n1", "h1", Map.of("app", Map.of()));
    for (var state : State.values()) {
      if (state != State.RUNNING && state != State.HALTED) {
        state("app@n1", state);
        assertThat(status().applied()).as("%s", state).isEmpty();
      }
    }
    state("app@n1", State.HALTED);
    assertThat(status().applied()).contains("h1");
  }
}
