package verwalter.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.cluster.Leases;
import verwalter.cluster.testkit.Heartbeats;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ShiftedLoop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/** A node is ready while its renewals arrive, and unknown otherwise. */
class LeaseReconcilerTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final CountingStore counting = new CountingStore(store);
  private final Heartbeats heartbeats = new Heartbeats(world);
  private final ShiftedLoop loop = new ShiftedLoop(world.loop("leases"));
  private final RunningControllers controllers = new RunningControllers();

  @BeforeEach
  void start() {
    startController();
    node("n1", "a1");
    node("n2", "b2");
  }

  private void startController() {
    controllers.start(
        loop,
        new LeaseReconciler(
                AuthoredStore.of(counting, Author.ofLeader(Writer.LEASE, store.epoch())),
                loop,
                heartbeats.leases("a1"),
                new Events(store, world.loop("events"), "n1"))
            .controller());
  }

  private void node(String name, String id) {
    world.await(
        store.put(
            Resource.of(Node.KIND, name, new Node.Spec(false))
                .withStatus(
                    new Node.Status(
                        1,
                        List.of(),
                        Map.of(Node.MACHINE_ID, id),
                        new Node.Capacity(1, 1),
                        Optional.empty(),
                        new Node.Roles(0, 0, 0),
                        List.of()))));
    renew(world.loop(id), heartbeats.leases(id));
  }

  private static void renew(Loop loop, Leases leases) {
    leases.renew();
    loop.after(Leases.RENEWAL, () -> renew(loop, leases));
  }

  private Optional<Condition> ready(String node) {
    return store
        .get(Node.KIND, node)
        .flatMap(Resource::status)
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.READY));
  }

  private Optional<Condition.Truth> truth(String node) {
    return ready(node).map(Condition::status);
  }

  private void pass(Duration time) {
    world.runFor(time);
  }

  @Test
  void aNodeWithRenewalsIsReadyWithinASecond() {
    assertThat(ready("n2")).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(truth("n1")).contains(Condition.Truth.TRUE);
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
  }

  @Test
  void renewalsCauseNoWrites() {
    pass(Duration.ofMinutes(1));
    long revision = store.revision();
    pass(Duration.ofHours(1));
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void renewalsCauseNoReads() {
    pass(Duration.ofMinutes(1));
    counting.reset();
    pass(Duration.ofHours(1));
    assertThat(counting.read(Node.KIND)).isZero();
    assertThat(counting.listed(Node.KIND)).isZero();

    heartbeats.isolate("b2");
    pass(Presence.TERM.plusSeconds(1));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
    assertThat(counting.read(Node.KIND)).isLessThan(10);
  }

  @Test
  void aChangedNodeIsEvaluatedAtOnce() {
    pass(Duration.ofMinutes(1));
    var node = store.get(Node.KIND, "n2").orElseThrow();
    world.await(store.put(node.withSpec(new Node.Spec(true))));
    pass(Duration.ofSeconds(1));
    assertThat(ready("n2").map(Condition::observedGeneration)).contains(2L);

    var changed = store.get(Node.KIND, "n2").orElseThrow();
    var status = changed.status().orElseThrow();
    world.await(
        store.putStatus(
            changed.withStatus(
                new Node.Status(
                    status.observedGeneration(),
                    status.addresses(),
                    status.facts(),
                    status.capacity(),
                    status.schedule(),
                    status.roles(),
                    List.of()))));
    pass(Duration.ofSeconds(1));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
  }

  @Test
  void aNodeWithoutRenewalsIsUnknownExactlyAfterTheTerm() {
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    pass(Presence.TERM.minus(Leases.RENEWAL).minusSeconds(1));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);

    pass(Leases.RENEWAL.plusSeconds(2));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
    assertThat(ready("n2").map(Condition::reason)).contains(Reason.LEASE_EXPIRED.title());
    assertThat(truth("n1")).contains(Condition.Truth.TRUE);
    pass(Duration.ofSeconds(1));
    assertThat(store.list(Event.KIND))
        .singleElement()
        .satisfies(
            event -> assertThat(event.spec().reason()).isEqualTo(Reason.LEASE_EXPIRED.title()));

    long revision = store.revision();
    pass(Duration.ofHours(1));
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void anUnknownNodeIsReadyOnlyAfterSteadyRenewals() {
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    pass(Duration.ofMinutes(2));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);

    heartbeats.rejoin("b2");
    pass(Leases.RENEWAL.plusSeconds(1));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
    pass(Presence.STEADY);
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
  }

  @Test
  void occasionalRenewalsDoNotChangeTheCondition() {
    pass(Duration.ofMinutes(1));
    long revision = store.revision();
    for (int i = 0; i < 60; i++) {
      heartbeats.isolate("b2");
      pass(Leases.RENEWAL.multipliedBy(2));
      heartbeats.rejoin("b2");
      pass(Leases.RENEWAL);
    }
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void aNewLeaderWaitsATermBeforeANodeIsUnknown() {
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    pass(Presence.TERM.minusSeconds(15));
    controllers.close();
    startController();
    pass(Presence.TERM.minusSeconds(2));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
    pass(Duration.ofSeconds(4));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
  }

  @Test
  void otherFieldsOfTheStatusAreKept() {
    pass(Duration.ofMinutes(1));
    var status = store.get(Node.KIND, "n2").orElseThrow().status().orElseThrow();
    assertThat(status.facts()).containsEntry(Node.MACHINE_ID, "b2");
    assertThat(status.capacity()).isEqualTo(new Node.Capacity(1, 1));
  }

  private void former(String name, String former) {
    var node = store.get(Node.KIND, name).orElseThrow();
    world.await(
        store.put(node.withMeta(node.meta().withAnnotations(Map.of(Node.FORMER_NAMES, former)))));
  }

  @Test
  void theRenewalsOfARenamedMachineCountForItsNewName() {
    pass(Duration.ofMinutes(1));
    node("new", "b2");
    former("new", "n2");
    pass(Duration.ofMinutes(1));
    assertThat(truth("new")).contains(Condition.Truth.TRUE);

    // The old Node changes last, but the machine belongs to the new one.
    var old = store.get(Node.KIND, "n2").orElseThrow();
    world.await(store.put(old.withSpec(new Node.Spec(true))));
    heartbeats.isolate("b2");
    pass(Duration.ofMinutes(2));
    assertThat(truth("new")).contains(Condition.Truth.UNKNOWN);
    world.await(store.remove(store.get(Node.KIND, "n2").orElseThrow()));
    heartbeats.rejoin("b2");
    pass(Duration.ofMinutes(1));
    assertThat(truth("new")).contains(Condition.Truth.TRUE);
  }

  @Test
  void aNodeThatWasRemovedAndMadeAgainIsReady() {
    pass(Duration.ofMinutes(1));
    world.await(store.remove(store.get(Node.KIND, "n2").orElseThrow()));
    pass(Duration.ofMinutes(1));
    node("n2", "b2");
    pass(Duration.ofSeconds(30));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
  }

  @Test
  void aNodeThatNoMachineHasClaimedHasNoCondition() {
    world.await(store.put(Resource.of(Node.KIND, "n3", new Node.Spec(false))));
    pass(Duration.ofMinutes(5));
    assertThat(ready("n3")).isEmpty();
    assertThat(store.list(Event.KIND)).isEmpty();
    assertThat(controllers.counters())
        .allSatisfy(counters -> assertThat(counters.failures()).isZero());
  }

  @Test
  void aLeaderThatWasPausedGivesEveryNodeATermBeforeItIsUnknown() {
    controllers.close();
    var paused = new PausedLoop(world.loop("paused"));
    controllers.start(
        paused,
        new LeaseReconciler(
                store,
                paused,
                heartbeats.leases("a1"),
                new Events(store, world.loop("events"), "n1"))
            .controller());
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    paused.passed = Duration.ofMinutes(10);
    pass(Presence.TERM.minusSeconds(2));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);

    pass(Presence.TERM.plusSeconds(12));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
    assertThat(truth("n1")).contains(Condition.Truth.TRUE);
  }

  /** A loop whose clock is ahead by a pause in which nothing ran. */
  private static final class PausedLoop implements Loop {
    private final Loop loop;
    private Duration passed = Duration.ZERO;

    PausedLoop(Loop loop) {
      this.loop = loop;
    }

    @Override
    public Instant now() {
      return loop.now().plus(passed);
    }

    @Override
    public void execute(Runnable task) {
      loop.execute(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      return loop.after(delay, task);
    }

    @Override
    public <V> Future<V> offload(Callable<V> work) {
      return loop.offload(work);
    }
  }

  @Test
  void renewalsOfARenamedMachineReachItsNewNodeAlsoIfTheOldOneChangesLater() {
    pass(Duration.ofMinutes(1));
    node("new", "b2");
    former("new", "n2");
    pass(Duration.ofMinutes(1));
    var old = store.get(Node.KIND, "n2").orElseThrow();
    world.await(store.put(old.withSpec(new Node.Spec(true))));
    pass(Duration.ofSeconds(1));

    heartbeats.isolate("b2");
    pass(Presence.TERM.plusSeconds(1));
    assertThat(truth("new")).contains(Condition.Truth.UNKNOWN);
    heartbeats.rejoin("b2");
    // Without its renewals it would be evaluated only after another term.
    pass(Leases.RENEWAL.plus(Presence.STEADY).plusSeconds(2));
    assertThat(truth("new")).contains(Condition.Truth.TRUE);
  }

  @Test
  void aConditionWithAnotherReasonIsReplaced() {
    pass(Duration.ofMinutes(1));
    var node = store.get(Node.KIND, "n2").orElseThrow();
    var other = Condition.ofTrue(ConditionType.READY, Reason.ACCEPTED, "", 1, world.now());
    world.await(
        store.putStatus(
            node.withStatus(node.status().orElseThrow().withConditions(List.of(other)))));
    pass(Leases.RENEWAL.plusSeconds(1));
    assertThat(ready("n2").map(Condition::reason)).contains(Reason.AGENT_RUNNING.title());
  }

  @Test
  void aRenewalFromBeforeTheLeaderBeganCounts() {
    controllers.close();
    node("n3", "c3");
    pass(Duration.ofSeconds(1));
    startController();
    pass(Duration.ofSeconds(1));
    assertThat(truth("n3")).contains(Condition.Truth.TRUE);
  }

  @Test
  void aConditionThatCannotBeWrittenIsTriedAgain() {
    pass(Duration.ofMinutes(1));
    controllers.close();
    var faulty = new FaultyStore(store, world, new Faults(1, 0, Duration.ZERO, Duration.ZERO));
    var loop = world.loop("faulty");
    controllers.start(
        loop,
        new LeaseReconciler(
                faulty,
                loop,
                heartbeats.leases("a1"),
                new Events(store, world.loop("events"), "n1"))
            .controller());
    heartbeats.isolate("b2");
    pass(Presence.TERM.plusSeconds(15));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
    assertThat(controllers.counters())
        .allSatisfy(counters -> assertThat(counters.failures()).isPositive());
    faulty.heal();
    pass(Duration.ofSeconds(30));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, 400, -400})
  void aClockThatIsSetChangesNoCondition(long days) {
    pass(Duration.ofMinutes(1));
    long revision = store.revision();
    loop.shift(Duration.ofDays(days));
    pass(Duration.ofMinutes(5));
    assertThat(store.revision()).isEqualTo(revision);

    heartbeats.isolate("b2");
    pass(Presence.TERM.multipliedBy(2));
    assertThat(truth("n1")).contains(Condition.Truth.TRUE);
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, 400, -400})
  void aNodeThatFallsSilentAsTheClockIsSetIsUnknown(long days) {
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    loop.shift(Duration.ofDays(days));
    pass(Presence.TERM.multipliedBy(3));
    assertThat(truth("n1")).contains(Condition.Truth.TRUE);
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
  }

  private void role(String name, Object policy) {
    world.await(
        store.put(
            Resource.of(
                RoleConfig.KIND, name, RoleConfig.Spec.of(Map.of("node_loss_policy", policy)))));
  }

  private Optional<Long> silence(String node) {
    return store.get(Node.KIND, node).flatMap(Resource::status).flatMap(Node.Status::silentSeconds);
  }

  @Test
  void theSilenceOfANodeIsWrittenWhenARoleReacts() {
    role("web", "critical");
    role("db", "never");
    role("queue", "1m");
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    pass(Duration.ofSeconds(3));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
    assertThat(silence("n2")).isEmpty();
    pass(Duration.ofSeconds(4));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
    assertThat(silence("n2")).contains(5L);
    pass(Duration.ofSeconds(10));
    assertThat(silence("n2")).contains(15L);
    pass(Duration.ofSeconds(40));
    assertThat(silence("n2")).contains(15L);
    pass(Duration.ofSeconds(10));
    assertThat(silence("n2")).contains(60L);
    assertThat(silence("n1")).isEmpty();

    heartbeats.rejoin("b2");
    pass(Leases.RENEWAL.plus(Presence.STEADY).minusSeconds(2));
    assertThat(silence("n2")).contains(60L);
    pass(Duration.ofSeconds(4));
    assertThat(silence("n2")).isEmpty();
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
  }

  @Test
  void aRoleThatBecomesCriticalCountsForANodeThatIsSilentAlready() {
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    pass(Duration.ofSeconds(9));
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
    role("web", "critical");
    pass(Duration.ofSeconds(2));
    assertThat(silence("n2")).contains(5L);
    world.await(store.remove(store.get(RoleConfig.KIND, "web").orElseThrow()));
    pass(Duration.ofMinutes(1));
    assertThat(silence("n2")).contains(15L);
  }

  @Test
  void aNewLeaderKeepsTheSilenceThatItsPredecessorObserved() {
    role("queue", "1m");
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    pass(Duration.ofSeconds(70));
    assertThat(silence("n2")).contains(60L);
    controllers.close();
    startController();
    pass(Duration.ofSeconds(20));
    assertThat(silence("n2")).contains(60L);
    assertThat(truth("n1")).contains(Condition.Truth.TRUE);
  }

  /** Its timers run late, so that it could not have received all renewals. */
  @Test
  void aLeaderThatIsStarvedDeclaresNobodyLost() {
    controllers.close();
    role("web", "critical");
    var starved = new PausedLoop(world.loop("starved"));
    controllers.start(
        starved,
        new LeaseReconciler(
                store,
                starved,
                heartbeats.leases("a1"),
                new Events(store, world.loop("events"), "n1"))
            .controller());
    pass(Duration.ofMinutes(1));
    heartbeats.isolate("b2");
    for (int i = 0; i < 20; i++) {
      starved.passed = starved.passed.plusSeconds(10);
      pass(Duration.ofSeconds(4));
    }
    assertThat(truth("n2")).contains(Condition.Truth.TRUE);
    pass(Duration.ofSeconds(8));
    assertThat(truth("n2")).contains(Condition.Truth.UNKNOWN);
  }
}
