package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.local.Options;
import verwalter.stores.replicatedkit.ModelEnsemble;

/** Electors with cluster stores over the model of a replicated log. */
class ClusterStoreTest {
  private static final Duration A_WHILE = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final VirtualWorld world = new VirtualWorld(1);
  private final ModelEnsemble ensemble = new ModelEnsemble(world, Duration.ofMillis(20));
  private final List<Elector> electors = new ArrayList<>();

  private Elector elector(String name) throws IOException {
    return elector(name, LogRetention.DEFAULT);
  }

  private Elector elector(String name, LogRetention retention) throws IOException {
    var options = new ClusterOptions(Options.DEFAULT.withLogBytes(4000), retention, PATIENCE);
    var elector = new Elector(world, ensemble, electors, name, options);
    electors.add(elector);
    elector.start();
    return elector;
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  private static Set<String> names(Elector elector) {
    return elector.store().list(Node.KIND).stream().map(Resource::name).collect(Collectors.toSet());
  }

  private void put(Elector elector, String... names) {
    for (var each : names) {
      world.await(elector.store().put(node(each)));
    }
  }

  private void settle() {
    world.runFor(A_WHILE);
  }

  @Test
  void aWriteThroughOneElectorIsReadAtAnother() throws IOException {
    var a = elector("a");
    var b = elector("b");
    var put = world.await(a.store().put(node("x")));
    settle();
    assertThat(b.store().get(Node.KIND, "x")).contains(put);
    var changed = world.await(b.store().put(put.withSpec(new Node.Spec(true))));
    settle();
    assertThat(a.store().get(Node.KIND, "x")).contains(changed);
    assertThat(world.failure(a.store().put(put))).isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void watchersOfAllElectorsSeeTheSameChanges() throws IOException {
    var a = elector("a");
    var b = elector("b");
    var seen = new HashMap<Elector, List<Change<Node.Spec, Node.Status>>>();
    for (var each : List.of(a, b)) {
      seen.put(each, new ArrayList<>());
      each.store().watch(Node.KIND, world.loop("w"), seen.get(each)::add);
    }
    settle();
    for (int i = 0; i < 20; i++) {
      put(i % 3 == 0 ? a : b, "n" + i);
    }
    settle();
    assertThat(seen.get(a)).hasSize(21).isEqualTo(seen.get(b));
  }

  @Test
  void overtakenWritesAreDecidedAnewWithoutAProblem() throws IOException {
    var a = elector("a");
    var b = elector("b");
    var problems = new ArrayList<Object>();
    a.store().onProblem(() -> problems.add(a.store().problem()));
    b.store().onProblem(() -> problems.add(b.store().problem()));
    var writes = new ArrayList<Future<?>>();
    for (int i = 0; i < 50; i++) {
      writes.add(a.store().put(node("a" + i)));
      writes.add(b.store().put(node("b" + i)));
      world.runFor(Duration.ofMillis(3));
    }
    writes.forEach(world::await);
    settle();
    assertThat(names(a)).hasSize(100).isEqualTo(names(b));
    assertThat(problems.stream().filter(each -> !each.toString().contains("empty"))).isEmpty();
  }

  @Test
  void anObjectIsCreatedByOneOfTwoElectors() throws IOException {
    var a = elector("a");
    var b = elector("b");
    var first = a.store().put(node("x"));
    var second = b.store().put(node("x"));
    world.runUntil(() -> first.isComplete() && second.isComplete(), A_WHILE);
    assertThat(first.succeeded()).isNotEqualTo(second.succeeded());
    var lost = first.succeeded() ? second : first;
    assertThat(lost.cause()).isInstanceOf(StoreException.Exists.class);
  }

  @Test
  void anOldLeaderIsFenced() throws IOException {
    var a = elector("a");
    var b = elector("b");
    long old = world.await(a.store().beginEpoch(0));
    ensemble.cut(a.log());
    long next = world.await(b.store().beginEpoch(0));
    assertThat(next).isGreaterThan(old);
    var late = a.store().commit(List.of(new Write.Put(node("x"))), Fence.epoch(old));
    world.runFor(Duration.ofSeconds(1));
    assertThat(late.isComplete()).isFalse();
    ensemble.reconnect(a.log());
    assertThat(world.failure(late)).isInstanceOf(StoreException.Fenced.class);
  }

  @Test
  void aSteadyWriterDoesNotExcludeASlowOne() throws IOException {
    var fast = elector("fast");
    var slow = elector("slow");
    fast.slowWork(Duration.ofMillis(10));
    slow.slowWork(Duration.ofMillis(60));
    var last = new int[1];
    refill(fast, world.await(fast.store().put(node("steady"))), last);
    world.runFor(Duration.ofSeconds(2));
    int before = last[0];
    var writes = new ArrayList<Future<?>>();
    for (int i = 0; i < 5; i++) {
      writes.add(slow.store().put(node("slow" + i)));
    }
    writes.forEach(world::await);
    assertThat(last[0]).isGreaterThan(before);
  }

  /** Writes an object again whenever the last write is committed. */
  private void refill(Elector elector, Resource<Node.Spec, Node.Status> object, int[] last) {
    last[0]++;
    elector
        .store()
        .put(object.withSpec(new Node.Spec(last[0] % 2 == 0)))
        .onSuccess(done -> elector.loop().execute(() -> refill(elector, done, last)));
  }

  @Test
  void writesFailWithoutAMajorityAndGoOnWithIt() throws IOException {
    var a = elector("a");
    put(a, "x");
    ensemble.majority(false);
    var late = a.store().put(node("y"));
    world.runFor(PATIENCE.minusMillis(100));
    assertThat(late.isComplete()).isFalse();
    world.runFor(Duration.ofMillis(200));
    assertThat(late.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("no majority")
        .hasMessageContaining("unknown");
    assertThat(a.store().problem().orElseThrow()).contains("no majority");
    assertThat(a.store().put(node("z")).cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("nothing was written");
    assertThat(a.store().get(Node.KIND, "x")).isPresent();
    ensemble.majority(true);
    settle();
    assertThat(a.store().problem()).isEmpty();
    put(a, "z");
    assertThat(names(a)).contains("x", "z");
  }

  @Test
  void aRestartReadsOnlyWhatIsNew() throws IOException {
    var a = elector("a");
    var b = elector("b");
    for (int i = 0; i < 50; i++) {
      put(a, "n" + i);
    }
    settle();
    assertThat(a.store().durable()).isEqualTo(50);
    assertThat(a.disk().list()).anyMatch(name -> name.startsWith("snap."));
    a.crash();
    put(b, "late");
    a.start();
    assertThat(names(a)).hasSize(50);
    settle();
    assertThat(names(a)).isEqualTo(names(b)).hasSize(51);
    assertThat(a.store().revision()).isEqualTo(b.store().revision());
  }

  @Test
  void aLostCopyIsReadAgainFromTheLog() throws IOException {
    var a = elector("a");
    var b = elector("b");
    put(a, "x", "y");
    settle();
    a.wipe();
    a.start();
    settle();
    assertThat(names(a)).isEqualTo(names(b)).hasSize(2);
    assertThat(a.fetched()).isZero();
  }

  private void trim(Elector by) {
    var durable =
        electors.stream()
            .filter(Elector::isRunning)
            .collect(Collectors.toMap(Elector::name, each -> each.store().durable()));
    by.store().trim(durable, electors.stream().map(Elector::name).collect(Collectors.toSet()));
    settle();
  }

  @Test
  void theLogIsTrimmedToTheRetention() throws IOException {
    var retention = new LogRetention(10, 1 << 20, 1 << 20);
    var a = elector("a", retention);
    elector("b", retention);
    elector("c", retention);
    for (int i = 0; i < 50; i++) {
      put(a, "n" + i);
    }
    settle();
    assertThat(ensemble.size()).isEqualTo(50);
    trim(a);
    assertThat(ensemble.size()).isEqualTo(10);
  }

  @Test
  void aLogWithoutCopiesDoesNotGrowWithoutLimit() throws IOException {
    var a = elector("a", new LogRetention(0, 0, 20_000));
    a.disk().failAfter(0);
    a.store().trim(Map.of(), Set.of("a"));
    var refused = new ArrayList<Throwable>();
    for (int i = 0; i < 200 && refused.isEmpty(); i++) {
      var write = a.store().put(node("n" + i));
      world.runUntil(write::isComplete, A_WHILE);
      if (write.failed()) {
        refused.add(write.cause());
      }
    }
    assertThat(refused)
        .singleElement()
        .isInstanceOf(StoreException.Unavailable.class)
        .asString()
        .contains("the log is full");
    settle();
    assertThat(a.store().problem().orElseThrow()).contains("the log is full");
    world.runFor(Duration.ofMinutes(2)); // this process does not trim any more
    put(a, "later");
  }

  @Test
  void anElectorThatWasAwayForTooLongFetchesASnapshot() throws IOException {
    var retention = new LogRetention(3, 1 << 20, 1 << 20);
    var a = elector("a", retention);
    var b = elector("b", retention);
    var away = elector("away", retention);
    put(a, "x");
    settle();
    away.cut(true);
    for (int i = 0; i < 20; i++) {
      put(b, "n" + i);
    }
    settle();
    trim(b);
    var late = away.store().put(node("late"));
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    away.store().watch(Node.KIND, world.loop("w"), received::add);
    world.runFor(Duration.ofMillis(100));
    away.cut(false);
    settle();
    assertThat(away.fetched()).isPositive();
    assertThat(late.isComplete()).isTrue();
    assertThat(((Change.Ended<?, ?>) received.get(received.size() - 1)).reason())
        .isInstanceOf(StoreException.TooOld.class);
    assertThat(names(away)).containsAll(names(b));
    assertThat(away.store().problem()).isEmpty();
    put(away, "own");
    settle();
    assertThat(names(a)).isEqualTo(names(away)).contains("own", "n19");
    assertThat(away.store().durable()).isEqualTo(away.store().snapshot().index());
    away.crash();
    away.start();
    assertThat(names(away)).isEqualTo(names(a));
    put(away, "again");
  }

  @Test
  void anElectorWaitsForASnapshotUntilAnotherOneHasIt() throws IOException {
    var retention = new LogRetention(0, 0, 1 << 20);
    var a = elector("a", retention);
    var b = elector("b", retention);
    put(a, "x", "y", "z");
    settle();
    trim(a);
    var late = elector("late", retention);
    a.cut(true);
    b.cut(true);
    settle();
    assertThat(late.store().problem().orElseThrow()).contains("no snapshot could be fetched");
    var write = late.store().put(node("w"));
    world.runFor(PATIENCE);
    assertThat(world.failure(write)).hasMessageContaining("no snapshot could be fetched");
    a.cut(false);
    settle();
    assertThat(late.store().problem()).isEmpty();
    put(late, "w");
    assertThat(names(late)).containsExactlyInAnyOrder("x", "y", "z", "w");
  }

  @Test
  void anOlderSnapshotIsRefused() throws IOException {
    var retention = new LogRetention(3, 1 << 20, 1 << 20);
    var others = new ArrayList<Elector>();
    for (var name : List.of("a", "b", "c")) {
      others.add(elector(name, retention));
    }
    var away = elector("away", retention);
    var longer = elector("longer", retention);
    put(others.get(0), "x");
    settle();
    longer.cut(true);
    put(others.get(0), "y");
    settle();
    away.cut(true);
    for (int i = 0; i < 20; i++) {
      put(others.get(0), "n" + i);
    }
    settle();
    trim(others.get(0));
    others.forEach(each -> each.cut(true));
    away.cut(false);
    longer.cut(false);
    settle();
    assertThat(away.fetched()).isPositive();
    assertThat(away.store().problem().orElseThrow())
        .contains("the newest snapshot ends with entry 1");
    assertThat(names(away)).containsExactlyInAnyOrder("x", "y");
    assertThat(names(longer)).containsExactly("x");
    others.forEach(each -> each.cut(false));
    world.runFor(Duration.ofSeconds(20));
    assertThat(names(away)).hasSize(22).isEqualTo(names(longer));
    assertThat(away.store().problem()).isEmpty();
  }

  @Test
  void aLogThatLostItsEndEndsTheStore() throws IOException {
    var a = elector("a");
    put(a, "x", "y", "z");
    settle();
    ensemble.lose(3);
    settle();
    assertThat(a.store().problem().orElseThrow())
        .contains("log has lost entries")
        .contains("do not delete the copies");
    assertThat(a.store().put(node("w")).cause()).hasMessageContaining("log has lost entries");
  }

  @Test
  void aCopyThatIsAheadOfTheLogIsNoticed() throws IOException {
    var a = elector("a");
    put(a, "x", "y", "z");
    settle();
    a.crash();
    ensemble.wipe();
    a.start();
    var late = a.store().put(node("w"));
    settle();
    assertThat(a.store().problem().orElseThrow()).contains("log has lost entries");
    assertThat(late.cause()).isInstanceOf(StoreException.Unavailable.class);
    assertThat(ensemble.size()).isZero();
    assertThat(names(a)).containsExactlyInAnyOrder("x", "y", "z");
  }

  @Test
  void aLogWithAnotherHistoryIsNoticed() throws IOException {
    var a = elector("a");
    put(a, "x", "y", "z");
    settle();
    a.crash();
    ensemble.lose(3);
    var b = elector("b");
    put(b, "other", "more", "most");
    settle();
    int points = a.disk().points();
    a.start();
    settle();
    assertThat(a.store().problem().orElseThrow())
        .contains("entry 4 does not follow the entry 3")
        .contains("log has lost entries");
    assertThat(a.store().put(node("w")).failed()).isTrue();
    assertThat(names(a)).containsExactlyInAnyOrder("x", "y", "z");
    assertThat(a.store().durable()).isEqualTo(3);
    assertThat(a.disk().points()).isLessThan(points + 20);
    assertThat(b.store().problem()).isEmpty();
  }

  @Test
  void aFailingDiskIsAProblemOfTheCopyOnly() throws IOException {
    var a = elector("a");
    put(a, "x");
    settle();
    a.disk().failOnce(0, "No space left on device");
    put(a, "y");
    settle();
    assertThat(a.store().problem().orElseThrow())
        .contains("the copy of the log")
        .contains("the disk is full");
    put(a, "z");
    world.runFor(Duration.ofSeconds(10));
    assertThat(a.store().problem()).isEmpty();
    assertThat(a.store().durable()).isEqualTo(3);
    a.crash();
    a.start();
    assertThat(names(a)).containsExactlyInAnyOrder("x", "y", "z");
  }

  @Test
  void aClosedStoreFailsItsWrites() throws IOException {
    var a = elector("a");
    put(a, "x");
    ensemble.majority(false);
    var late = a.store().put(node("y"));
    world.runFor(Duration.ofMillis(100));
    a.store().close();
    assertThat(world.failure(late)).isInstanceOf(StoreException.Unavailable.class);
    assertThat(a.store().put(node("z")).cause()).hasMessageContaining("closed");
    assertThat(a.store().get(Node.KIND, "x")).isPresent();
  }
}
