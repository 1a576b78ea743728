package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

class AuthoredStoreTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private final VirtualWorld world = new VirtualWorld(1);
  private final EpochStore store = new MemoryStore(world.clock(), world.uids());

  private ObjectStore as(Writer writer, String node) {
    return AuthoredStore.of(store, Author.ofNode(writer, node));
  }

  private ObjectStore leading(Writer writer) {
    return AuthoredStore.of(store, Author.ofLeader(writer, store.epoch()));
  }

  /** Operators whose writes take a while, so that others write in between. */
  private ObjectStore slowOperators() {
    var faults = new Faults(0, 0, Duration.ofMillis(100), Duration.ZERO);
    var slow = new FaultyStore(store, world, faults);
    return AuthoredStore.of(slow, Author.ofLeader(Writer.OPERATOR, store.epoch()));
  }

  private <V> V done(Future<V> future) {
    return world.await(future);
  }

  private Throwable refused(Future<?> future) {
    return world.failure(future);
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(String node) {
    return Resource.of(
        ProcessGroup.KIND, "web@" + node, new ProcessGroup.Spec("web", node, "web", Map.of()));
  }

  private static ProcessGroup.Status running(int count) {
    return new ProcessGroup.Status(1, count, count, List.of(), List.of());
  }

  @Test
  void aWriterWritesOnlyItsPart() {
    var made = done(as(Writer.INSTANCE, "a").put(group("a")));
    var reported = done(as(Writer.PROCESS, "a").putStatus(made.withStatus(running(1))));
    assertThat(reported.status()).contains(running(1));
    var changed = made.withSpec(new ProcessGroup.Spec("web", "a", "other", Map.of()));
    var revision = store.revision();
    assertThat(refused(as(Writer.PROCESS, "a").put(changed.withMeta(reported.meta()))))
        .isInstanceOf(StoreException.Forbidden.class)
        .hasMessageContaining("the instance controller, not by the process controller");
    assertThat(refused(as(Writer.INSTANCE, "a").putStatus(reported.withStatus(running(2)))))
        .isInstanceOf(StoreException.Forbidden.class);
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void oneForbiddenWriteRefusesTheWholeTransaction() {
    var writes =
        List.<Write>of(
            new Write.Put(group("a")),
            new Write.Put(
                Resource.of(
                    RoleInstance.KIND,
                    "web@a",
                    new RoleInstance.Spec("web", "a", "t", Optional.empty(), Map.of()))));
    assertThat(refused(as(Writer.INSTANCE, "a").commit(writes)))
        .hasMessageContaining("RoleInstance/web@a");
    assertThat(store.list(ProcessGroup.KIND)).isEmpty();
  }

  @Test
  void aStatusMayFollowTheCreationInOneTransaction() {
    var made =
        Resource.of(
            RoleConfig.KIND, "web", new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty()));
    var status = new RoleConfig.Status(1, List.of(), List.of());
    done(
        leading(Writer.CONFIG)
            .commit(List.of(new Write.Put(made), new Write.PutStatus(made.withStatus(status)))));
    assertThat(store.get(RoleConfig.KIND, "web").orElseThrow().status()).contains(status);
  }

  @Test
  void noAuthorWritesForAnotherNode() {
    assertThat(refused(as(Writer.INSTANCE, "a").put(group("b"))))
        .hasMessage(
            "ProcessGroup/web@b: its spec is written by the agent of node b, not by the instance"
                + " controller of node a");
  }

  @Test
  void aLeaderOfAnEarlierEpochCannotWriteToTheCluster() {
    var schedule = Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE);
    var before = leading(Writer.SCHEDULE);
    done(store.beginEpoch(store.epoch() + 1));
    assertThat(refused(before.put(schedule))).isInstanceOf(StoreException.Fenced.class);
    assertThat(done(leading(Writer.SCHEDULE).put(schedule)).name()).isEqualTo("current");
  }

  @Test
  void refusesFenceOfAnotherEpoch() {
    var schedule = Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE);
    var writes = List.<Write>of(new Write.Put(schedule));
    long epoch = store.epoch();
    var author = leading(Writer.SCHEDULE);
    assertThat(refused(author.commit(writes, Fence.epoch(epoch + 1))))
        .isInstanceOf(StoreException.Fenced.class)
        .hasMessage(
            "the write is for epoch %d, but the store is in epoch %d".formatted(epoch + 1, epoch));
    assertThat(store.list(Schedule.KIND)).isEmpty();
    assertThat(done(author.commit(writes, Fence.epoch(epoch)))).hasSize(1);
    long next = done(store.beginEpoch(epoch + 1));
    assertThat(refused(author.commit(writes, Fence.epoch(next))))
        .isInstanceOf(StoreException.Fenced.class)
        .hasMessage(
            "the write is for epoch %d, but the store is in epoch %d".formatted(epoch, next));
  }

  private Resource<RoleConfig.Spec, RoleConfig.Status> role(Map<String, String> labels) {
    var spec = new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());
    var role = Resource.of(RoleConfig.KIND, "web", spec);
    return role.withMeta(role.meta().withLabels(labels));
  }

  @Test
  void checksRemovalAgainIfObjectIsReplaced() {
    var made = done(store.put(role(Map.of())));
    var removal = slowOperators().remove(role(Map.of()));
    done(store.remove(made));
    done(store.put(role(Map.of(RoleConfig.ORIGIN, RoleConfig.CONFIG_DIRECTORY))));
    assertThat(refused(removal)).isInstanceOf(StoreException.FromFile.class);
    assertThat(store.list(RoleConfig.KIND)).hasSize(1);
  }

  @Test
  void operatorsDoNotSayThatARoleIsReadFromAFile() {
    var labels = Map.of(RoleConfig.ORIGIN, RoleConfig.CONFIG_DIRECTORY);
    var operator = leading(Writer.OPERATOR);

    assertThat(refused(operator.put(role(labels)))).isInstanceOf(StoreException.FromFile.class);

    var made = done(operator.put(role(Map.of())));
    assertThat(refused(operator.put(made.withMeta(made.meta().withLabels(labels)))))
        .isInstanceOf(StoreException.FromFile.class);
  }

  @Test
  void removesObjectThatIsChangedMeanwhile() {
    var made = done(store.put(role(Map.of())));
    var removal = slowOperators().remove(role(Map.of()));
    done(store.put(made.withMeta(made.meta().withLabels(Map.of("a", "b")))));
    assertThat(done(removal).meta().labels()).containsEntry("a", "b");
    assertThat(store.list(RoleConfig.KIND)).isEmpty();
  }

  @Test
  void removalOfObjectThatAlwaysChangesEnds() {
    done(store.put(role(Map.of())));
    var removal = slowOperators().remove(role(Map.of()));
    change(world.loop("other"), 0);
    assertThat(refused(removal)).isInstanceOf(StoreException.Conflict.class);
    assertThat(store.list(RoleConfig.KIND)).hasSize(1);
  }

  private void change(Loop loop, int times) {
    var now = store.get(RoleConfig.KIND, "web").orElseThrow();
    store.put(now.withMeta(now.meta().withLabels(Map.of("times", String.valueOf(times)))));
    loop.after(Duration.ofNanos(100_000), () -> change(loop, times + 1));
  }

  @Test
  void aFollowerCannotWriteToTheCluster() {
    assertThat(
            refused(
                as(Writer.SCHEDULE, "a")
                    .put(Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE))))
        .isInstanceOf(StoreException.Forbidden.class)
        .hasMessageContaining("is written by the leader");
  }

  private static RoleConfig.Status status(String version, String scheduled) {
    return new RoleConfig.Status(
        1,
        List.of(version),
        List.of(
            Condition.ofTrue(ConditionType.CONFIG_VALID, Reason.READ, "", 1, NOW),
            Condition.ofTrue(ConditionType.SCHEDULED, Reason.SCHEDULED, scheduled, 1, NOW)));
  }

  /** Two writers share this status. Neither overwrites a concurrent write of the other. */
  @Test
  void aConditionOfAnotherWriterIsNeverOverwrittenFromAnOldState() {
    var spec = new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());
    var made =
        done(
            store.put(Resource.of(RoleConfig.KIND, "web", spec).withStatus(status("v1", "first"))));
    done(leading(Writer.SCHEDULE).putStatus(made.withStatus(status("v1", "second"))));
    for (var based : List.of(made, made.withMeta(made.meta().withVersion(0)))) {
      var old = leading(Writer.CONFIG).putStatus(based.withStatus(status("v2", "first")));
      assertThat(refused(old)).isInstanceOf(StoreException.class);
    }
    assertThat(refused(leading(Writer.CONFIG).putStatus(made.withStatus(status("v2", "first")))))
        .isInstanceOf(StoreException.Conflict.class);
    var now = store.get(RoleConfig.KIND, "web").orElseThrow();
    done(leading(Writer.CONFIG).putStatus(now.withStatus(status("v2", "second"))));
    assertThat(store.get(RoleConfig.KIND, "web").orElseThrow().status())
        .contains(status("v2", "second"));
  }

  @Test
  void aWriteBasedOnAnOldStateIsAConflict() {
    var made = done(as(Writer.INSTANCE, "a").put(group("a")));
    done(store.put(made.withMeta(made.meta().withLabels(Map.of("a", "b")))));
    var late = made.withMeta(made.meta().withLabels(Map.of("a", "c")));
    assertThat(refused(as(Writer.INSTANCE, "a").put(late)))
        .isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void aWriteToARemovedObjectIsMissing() {
    var gone = group("a").withMeta(group("a").meta().withVersion(3));
    assertThat(refused(as(Writer.INSTANCE, "a").put(gone)))
        .isInstanceOf(StoreException.Missing.class);
    assertThat(refused(as(Writer.INSTANCE, "a").remove(group("a"))))
        .isInstanceOf(StoreException.Missing.class);
    assertThat(refused(as(Writer.PROCESS, "a").putStatus(group("a").withStatus(running(1)))))
        .isInstanceOf(StoreException.Missing.class);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance() {
    return Resource.of(
        RoleInstance.KIND,
        "web@a",
        new RoleInstance.Spec("web", "a", "t", Optional.empty(), Map.of()));
  }

  private Resource<RoleInstance.Spec, RoleInstance.Status> restarted(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Long counter) {
    return instance.withSpec(instance.spec().withRestartCounter(Optional.ofNullable(counter)));
  }

  @Test
  void operatorsRaiseTheCountersOfAnInstanceAndNothingElseOfItsSpec() {
    var schedule = as(Writer.NODE_SCHEDULE, "a");
    var operator = leading(Writer.OPERATOR);
    var made = done(schedule.put(instance()));

    var asked = done(operator.put(restarted(made, 1L)));
    assertThat(asked.meta().generation()).isEqualTo(2);
    assertThat(refused(schedule.put(restarted(asked, 2L))))
        .isInstanceOf(StoreException.Forbidden.class)
        .hasMessageContaining("its spec.restartCounter is written by operators");
    var other = new RoleInstance.Spec("web", "a", "u", Optional.empty(), Map.of());
    assertThat(refused(operator.put(asked.withSpec(other.withCountersOf(asked.spec())))))
        .isInstanceOf(StoreException.Forbidden.class)
        .hasMessageContaining("its spec is written by the node-schedule controller");
    assertThat(done(schedule.put(asked.withSpec(other.withCountersOf(asked.spec())))).spec())
        .isEqualTo(other.withRestartCounter(Optional.of(1L)));
  }

  @Test
  void aCounterThatDoesNotGrowByOneIsRefused() {
    var operator = leading(Writer.OPERATOR);
    var made = done(as(Writer.NODE_SCHEDULE, "a").put(instance()));
    assertThat(refused(operator.put(restarted(made, 0L))))
        .hasMessageContaining("spec.restartCounter must be 1, one more than the last number");
    var asked = done(operator.put(restarted(made, 1L)));

    for (var counter : new Long[] {0L, -1L, 3L, Long.MAX_VALUE, Long.MIN_VALUE, null}) {
      assertThat(refused(operator.put(restarted(asked, counter))))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("spec.restartCounter must be 2");
    }
    assertThat(done(operator.put(restarted(asked, 1L))).meta()).isEqualTo(asked.meta());
  }

  @Test
  void aCounterIsLargerThanTheLastRestartThatWasCarriedOut() {
    var made = done(as(Writer.NODE_SCHEDULE, "a").put(instance())); // the store was lost before
    var done =
        new RoleInstance.Status(1, RoleInstance.State.RUNNING, 1, 1, 0, NOW, "", List.of())
            .withCounters(Optional.of(7L), Optional.empty());
    var reported = done(as(Writer.INSTANCE, "a").putStatus(made.withStatus(done)));

    assertThat(refused(leading(Writer.OPERATOR).put(restarted(reported, 7L))))
        .hasMessageContaining("spec.restartCounter must be 8");
    assertThat(done(leading(Writer.OPERATOR).put(restarted(reported, 8L))).spec().restartCounter())
        .contains(8L);
  }
}
