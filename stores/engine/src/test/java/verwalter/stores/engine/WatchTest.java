package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.Change;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** Watches and lists of selections, beyond what the contract asks of every store. */
class WatchTest {
  private static final Selection N1 = new Selection.Node("n1");

  private final VirtualWorld world = new VirtualWorld(1);
  private final List<String> received = new ArrayList<>();
  private MemoryStore store = new MemoryStore(world.clock(), world.uids());

  private void limit(int changes) {
    store = new MemoryStore(world.clock(), world.uids(), new HistoryLimit(changes, 1 << 30));
  }

  private void put(String name, String role, String node, Map<String, String> labels) {
    var next = Objects.instance(name, role, node);
    var object =
        store.get(RoleInstance.KIND, name).map(old -> old.withSpec(next.spec())).orElse(next);
    world.await(store.put(object.withMeta(object.meta().withLabels(labels))));
  }

  private void put(String name, String node) {
    put(name, "r" + store.revision(), node, Map.of());
  }

  private void remove(String name) {
    world.await(store.remove(store.get(RoleInstance.KIND, name).orElseThrow()));
  }

  private Watch watch(Selection selection, OptionalLong after) {
    return store.watch(RoleInstance.KIND, selection, after, world.loop("w"), this::receive);
  }

  private void receive(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
      received.add((put.created() ? "+" : "=") + put.resource().name());
    } else if (change instanceof Change.Removed<RoleInstance.Spec, RoleInstance.Status> gone) {
      received.add("-" + gone.resource().name());
    } else if (change instanceof Change.Ended<RoleInstance.Spec, RoleInstance.Status> ended) {
      received.add(ended.reason().getClass().getSimpleName() + ": " + ended.reason().getMessage());
    }
  }

  private List<String> received() {
    world.runFor(Duration.ofSeconds(1));
    var all = List.copyOf(received);
    received.clear();
    return all;
  }

  @Test
  void aSelectionIsResumedFromARevisionAtWhichNobodyFollowedIt() {
    put("a", "n1");
    long after = store.revision();
    put("b", "n2");
    put("c", "n1");
    put("a", "n2"); // leaves the selection
    put("b", "n1"); // joins it
    remove("c");
    remove("a");

    long visited = store.figures().visited();
    watch(N1, OptionalLong.of(after));
    assertThat(received()).containsExactly("+c", "-a", "+b", "-c");
    assertThat(store.figures().visited()).isEqualTo(visited + 4);
    put("b", "n1");
    put("d", "n2");
    assertThat(received()).containsExactly("=b");
  }

  @Test
  void aSelectionThatIsFollowedIsResumedFromBeforeThat() {
    put("a", "n1");
    long after = store.revision();
    put("b", "n1");
    watch(N1, OptionalLong.empty());
    received();
    put("c", "n1");
    received();

    watch(N1, OptionalLong.of(after));
    assertThat(received()).containsExactly("+b", "+c");
    put("d", "n1");
    assertThat(received()).containsExactly("+d", "+d");
  }

  @Test
  void everySelectionIsResumed() {
    put("owner", "n1");
    long after = store.revision();
    var owner = store.get(RoleInstance.KIND, "owner").orElseThrow();
    put("a", "web", "n1", Map.of("tier", "front"));
    put("b", "api", "n2", Map.of("tier", "back"));
    var owned = store.get(RoleInstance.KIND, "b").orElseThrow();
    world.await(store.put(owned.withMeta(owned.meta().ownedBy(OwnerReference.to(owner)))));

    watch(new Selection.Role("web"), OptionalLong.of(after));
    assertThat(received()).containsExactly("+a");
    watch(new Selection.Label("tier", "back"), OptionalLong.of(after));
    assertThat(received()).containsExactly("+b", "=b");
    watch(new Selection.Owner(owner.meta().uid()), OptionalLong.of(after));
    assertThat(received()).containsExactly("+b");
    watch(new Selection.Node("n2"), OptionalLong.of(after));
    assertThat(received()).containsExactly("+b", "=b");
  }

  @Test
  void aSelectionCannotBeResumedFromBeforeTheHistory() {
    limit(4);
    for (int i = 0; i < 6; i++) {
      put("a" + i, "n1");
    }
    watch(N1, OptionalLong.of(1));
    assertThat(received()).singleElement().asString().startsWith("TooOld");
    watch(N1, OptionalLong.of(2));
    assertThat(received()).containsExactly("+a2", "+a3", "+a4", "+a5");
    watch(Selection.ALL, OptionalLong.of(1));
    assertThat(received()).singleElement().asString().startsWith("TooOld");
    watch(Selection.ALL, OptionalLong.of(2));
    assertThat(received()).containsExactly("+a2", "+a3", "+a4", "+a5");
  }

  @Test
  void aSelectionThatIsFollowedForLongCannotBeResumedFromBeforeTheHistory() {
    limit(4);
    watch(N1, OptionalLong.empty());
    for (int i = 0; i < 6; i++) {
      put("a" + i, "n1");
      received();
    }
    watch(N1, OptionalLong.of(1));
    assertThat(received()).singleElement().asString().startsWith("TooOld");
    watch(N1, OptionalLong.of(2));
    assertThat(received()).containsExactly("+a2", "+a3", "+a4", "+a5");
  }

  @Test
  void aSlowWatcherIsToldHowFarItIsBehind() {
    limit(4);
    put("first", "n1");
    for (var selection : List.of(Selection.ALL, N1)) {
      watch(selection, OptionalLong.empty());
      watch(selection, OptionalLong.of(store.revision()));
      assertThat(received()).contains("+first");
      put("next", "n1");
      assertThat(received()).hasSize(2);
      for (int i = 0; i < 20; i++) {
        put("a" + i, "n1");
      }
      assertThat(received())
          .hasSize(2)
          .allSatisfy(each -> assertThat(each).matches("TooSlow.*\\b20\\b.*"));
      put("late", "n1");
      assertThat(received()).isEmpty();
      for (int i = 0; i < 20; i++) {
        remove("a" + i);
      }
      remove("late");
    }
  }

  @Test
  void aSlowWatcherOfASelectionMissesNothingWithoutBeingTold() {
    limit(4);
    watch(N1, OptionalLong.empty());
    received();
    put("a", "n1");
    for (int i = 0; i < 9; i++) {
      put("other" + i, "n2");
    }
    assertThat(received()).singleElement().asString().matches("TooSlow.*\\b1\\b.*");
  }

  @Test
  void aSelectionOfManyObjectsIsReplayedWhole() {
    for (int i = 0; i < 600; i++) {
      put("a%03d".formatted(i), "n1");
    }
    long visited = store.figures().visited();
    for (var selection : List.of(N1, Selection.ALL)) {
      watch(selection, OptionalLong.empty());
      long steps = world.steps();
      var all = received();
      assertThat(all).hasSize(600).isSorted().doesNotHaveDuplicates();
      assertThat(world.steps() - steps).as("turns").isBetween(3L, 5L);
      visited += 600;
      assertThat(store.figures().visited()).isEqualTo(visited);
    }
  }

  @Test
  void manyChangesAreToldInSeveralTurns() {
    watch(N1, OptionalLong.empty());
    received();
    for (int i = 0; i < 600; i++) {
      put("a%03d".formatted(i), "n1");
    }
    long steps = world.steps();
    assertThat(received()).hasSize(600).isSorted().doesNotHaveDuplicates();
    assertThat(world.steps() - steps).as("turns").isBetween(3L, 5L);
  }

  @Test
  void aWatcherThatThrowsHearsTheRest() {
    put("a", "n1");
    put("b", "n1");
    store.watch(
        RoleInstance.KIND,
        world.loop("w"),
        change -> {
          receive(change);
          if (received.equals(List.of("+a"))) {
            throw new IllegalStateException("a bug of the watcher");
          }
        });
    assertThatThrownBy(() -> world.runFor(Duration.ofSeconds(1)))
        .hasMessageContaining("a bug of the watcher");
    assertThat(received()).containsExactly("+a", "+b");
    put("c", "n1");
    assertThat(received()).containsExactly("+c");
  }

  @Test
  void watcherThatThrowsReceivesTheRestOfATransaction() {
    store.watch(RoleInstance.KIND, world.loop("w"), this::failOn);
    received();
    failing = "+a";
    world.await(
        store.commit(
            List.of(
                new Write.Put(Objects.instance("a", "r", "n1")),
                new Write.Put(Objects.instance("b", "r", "n1")))));
    assertThatThrownBy(() -> world.runFor(Duration.ofSeconds(1)))
        .hasMessageContaining("a bug of the watcher");
    assertThat(received()).containsExactly("+a", "+b");
  }

  @Test
  void watcherThatThrowsAtTheEndOfATurnReceivesTheNextOnes() {
    for (int i = 0; i < 300; i++) {
      put("a%03d".formatted(i), "n1");
    }
    failing = "+a255";
    store.watch(RoleInstance.KIND, world.loop("w"), this::failOn);
    assertThatThrownBy(() -> world.runFor(Duration.ofSeconds(1)))
        .hasMessageContaining("a bug of the watcher");
    assertThat(received()).hasSize(300);
  }

  /** After this change the watcher throws once. */
  private String failing = "";

  private void failOn(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    receive(change);
    if (received.contains(failing)) {
      failing = "";
      throw new IllegalStateException("a bug of the watcher");
    }
  }

  @Test
  void aLoopThatTakesNoTasksLosesItsWatchAndNobodyElseDoes() {
    var loop = new ClosingLoop(world.loop("closing"));
    store.watch(RoleInstance.KIND, loop, this::receive);
    watch(Selection.ALL, OptionalLong.empty());
    received();
    loop.closed = true;
    put("a", "n1");
    assertThat(received()).containsExactly("+a");
    loop.closed = false;
    put("b", "n1");
    assertThat(received()).containsExactly("+b");
  }

  /** A loop that can refuse tasks, as one whose thread has ended does. */
  private static final class ClosingLoop implements Loop {
    private final Loop loop;
    private boolean closed;

    ClosingLoop(Loop loop) {
      this.loop = loop;
    }

    @Override
    public Instant now() {
      return loop.now();
    }

    @Override
    public void execute(Runnable task) {
      if (closed) {
        throw new RejectedExecutionException("closed");
      }
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
  void aSelectionThatNobodyFollowsIsNotKept() {
    var history = new ChangeHistory(HistoryLimit.DEFAULT, 0);
    var versions = new Versions(State.EMPTY, history, HistoryLimit.DEFAULT);
    var range = IndexRange.of(RoleInstance.KIND.name(), N1);
    var loop = world.loop("w");
    var first = versions.watch(RoleInstance.KIND, N1, OptionalLong.empty(), loop, this::receive);
    var second = versions.watch(RoleInstance.KIND, N1, OptionalLong.empty(), loop, this::receive);
    var whole =
        versions.watch(RoleInstance.KIND, Selection.ALL, OptionalLong.empty(), loop, this::receive);
    assertThat(history.sequence(range).orElseThrow().dropped()).isZero();
    first.close();
    first.close();
    whole.close();
    assertThat(history.sequence(range).orElseThrow().dropped()).isZero();
    second.close();
    assertThat(history.sequence(range)).isEmpty();
  }

  @Test
  void selectionOfALoopThatTakesNoTasksIsNotKept() {
    var history = new ChangeHistory(HistoryLimit.DEFAULT, 0);
    var versions = new Versions(State.EMPTY, history, HistoryLimit.DEFAULT);
    var range = IndexRange.of(RoleInstance.KIND.name(), N1);
    var loop = new ClosingLoop(world.loop("closing"));
    versions.watch(RoleInstance.KIND, N1, OptionalLong.empty(), loop, this::receive);
    received();
    assertThat(history.sequence(range).orElseThrow().dropped()).isZero();
    loop.closed = true;
    var entry = Objects.entry(new Write.Put(Objects.instance("a", "r", "n1")));
    versions.publish(List.of(Transaction.apply(State.EMPTY, entry)));
    assertThat(history.sequence(range)).isEmpty();
  }

  @Test
  void sequenceIsFilledWithTheChangesAfterAVersion() {
    var history = new ChangeHistory(HistoryLimit.DEFAULT, 0);
    var state = State.EMPTY;
    for (var name : List.of("a", "b", "c")) {
      var entry = Objects.entry(new Write.Put(Objects.instance(name, "r", "n1")));
      var outcome = Transaction.apply(state, entry);
      state = outcome.state();
      history.add(state.version(), outcome.effects());
    }
    var sequence = history.follow(IndexRange.of(RoleInstance.KIND.name(), N1), 2, 3);
    assertThat(sequence.after(0)).containsOnlyKeys(3L);
    assertThat(sequence.count()).isEqualTo(1);
    assertThat(sequence.dropped()).isEqualTo(2);
  }

  /** Adds the creation of an object to the history, and returns the next state. */
  private static State add(ChangeHistory history, State state, String name) {
    var entry = Objects.entry(new Write.Put(Objects.instance(name, "r", "n1")));
    var outcome = Transaction.apply(state, entry);
    history.add(outcome.state().version(), outcome.effects());
    return outcome.state();
  }

  @Test
  void numbersOfChangesStayIfAnotherWatchResumesEarlier() {
    var history = new ChangeHistory(HistoryLimit.DEFAULT, 0);
    var range = IndexRange.of(RoleInstance.KIND.name(), N1);
    var state = add(history, add(history, State.EMPTY, "a"), "b");
    var sequence = history.follow(range, 2, 2);
    add(history, state, "c");
    assertThat(sequence.after(0)).containsOnlyKeys(3L);
    long number = sequence.countUpTo(2);
    long count = sequence.count();

    assertThat(history.follow(range, 0, 3)).isSameAs(sequence);
    assertThat(sequence.after(0)).containsOnlyKeys(1L, 2L, 3L);
    assertThat(sequence.countUpTo(2)).isEqualTo(number);
    assertThat(sequence.countUpTo(0)).isEqualTo(number - 2);
    assertThat(sequence.count()).isEqualTo(count);
    assertThat(sequence.dropped()).isZero();
  }

  @Test
  void sequenceThatWasForgottenIsNotUpdated() {
    var history = new ChangeHistory(new HistoryLimit(3, 1 << 20), 0);
    var range = IndexRange.of(RoleInstance.KIND.name(), N1);
    var state = add(history, add(history, State.EMPTY, "a"), "b");
    var sequence = history.follow(range, 0, 2);
    history.forget(range);
    for (var name : List.of("c", "d", "e", "f")) {
      state = add(history, state, name);
    }
    assertThat(history.dropped()).isEqualTo(3);
    assertThat(sequence.dropped()).isZero();
  }

  @Test
  void historyMayHoldExactlyItsLimit() {
    var entry = Objects.entry(new Write.Put(Objects.instance("a", "r", "n1")));
    var outcome = Transaction.apply(State.EMPTY, entry);
    long size = outcome.effects().get(0).heap();
    for (var limit : List.of(new HistoryLimit(2, 1 << 20), new HistoryLimit(9, 2 * size))) {
      var history = new ChangeHistory(limit, 0);
      for (long version = 1; version <= 2; version++) {
        history.add(version, outcome.effects());
        assertThat(history.dropped()).isZero();
      }
      history.add(3, outcome.effects());
      assertThat(history.dropped()).isEqualTo(1);
      assertThat(history.bytes()).isEqualTo(2 * size);
    }
  }

  @Test
  void newestTransactionIsKeptEvenIfItExceedsTheLimit() {
    limit(1);
    watch(Selection.ALL, OptionalLong.empty());
    received();
    var all = List.of("a", "b", "c");
    world.await(
        store.commit(
            all.stream().<Write>map(it -> new Write.Put(Objects.instance(it, "r", "n"))).toList()));
    assertThat(received()).containsExactly("+a", "+b", "+c");
  }

  @Test
  void bookmarkFollowsATenthOfTheHistory() {
    limit(30);
    var marks = new ArrayList<Long>();
    store.watch(
        RoleInstance.KIND,
        world.loop("w"),
        change -> {
          if (change instanceof Change.Bookmark<?, ?> mark) {
            marks.add(mark.revision());
          }
        });
    for (int i = 0; i < 7; i++) {
      received();
      put("a" + i, "n1");
    }
    received();
    assertThat(marks).containsExactly(0L, 3L, 6L);
  }

  @Test
  void objectThatChangesItsOwnerLeavesTheSelection() {
    put("first", "n1");
    put("second", "n1");
    var first = OwnerReference.to(store.get(RoleInstance.KIND, "first").orElseThrow());
    var second = OwnerReference.to(store.get(RoleInstance.KIND, "second").orElseThrow());
    var child = Objects.instance("child", "r", "n1");
    world.await(store.put(child.withMeta(child.meta().ownedBy(first))));
    watch(new Selection.Owner(first.uid()), OptionalLong.empty());
    assertThat(received()).containsExactly("+child");
    var now = store.get(RoleInstance.KIND, "child").orElseThrow();
    world.await(store.put(now.withMeta(now.meta().ownedBy(second))));
    assertThat(received()).containsExactly("-child");
  }

  @Test
  void aClosedWatchOfASelectionLeavesTheOthersOpen() {
    var first = watch(N1, OptionalLong.empty());
    watch(N1, OptionalLong.empty());
    received();
    first.close();
    put("a", "n1");
    assertThat(received()).containsExactly("+a");
  }

  @Test
  void dependentsOfEveryKindVanishWithTheirOwner() {
    put("owner", "n1");
    var owner = OwnerReference.to(store.get(RoleInstance.KIND, "owner").orElseThrow());
    var output =
        Resource.of(
            TemplateOutput.KIND, "owner", new TemplateOutput.Spec("r", "n1", "t", Map.of()));
    var other = Objects.instance("child", "r", "n1");
    world.await(
        store.commit(
            List.of(
                new Write.Put(output.withMeta(output.meta().ownedBy(owner))),
                new Write.Put(other.withMeta(other.meta().ownedBy(owner))))));
    remove("owner");
    assertThat(store.list(TemplateOutput.KIND)).isEmpty();
    assertThat(store.list(RoleInstance.KIND)).isEmpty();
  }

  @Test
  void sixtyFourListsMayBeContinuedAtOnce() {
    put("a", "n1");
    put("b", "n1");
    var tokens = new ArrayList<String>();
    for (int i = 0; i < 65; i++) {
      var page = store.list(RoleInstance.KIND, Query.ALL.limit(1));
      tokens.add(page.next().orElseThrow());
      put("c", "n" + i);
    }
    for (var token : tokens.subList(1, 65)) {
      assertThat(store.list(RoleInstance.KIND, Query.ALL.limit(1).continuing(token)).items())
          .extracting(Resource::name)
          .containsExactly("b");
    }
    assertThatThrownBy(() -> store.list(RoleInstance.KIND, Query.ALL.continuing(tokens.get(0))))
        .isInstanceOf(StoreException.TooOld.class);
  }

  @Test
  void aPageOfARevisionThatNeverWasIsTooOld() {
    put("a", "n1");
    assertThatThrownBy(() -> store.list(RoleInstance.KIND, Query.ALL.continuing("0.a")))
        .isInstanceOf(StoreException.TooOld.class);
  }

  @Test
  void differentLabelsHaveDifferentKeys() {
    var texts = List.of("", "a", "ab", "\0", "\1", "\0a", "\1a", "\1b", "a\0", "a\1", "\0\1");
    var seen = new HashMap<String, String>();
    for (var key : texts) {
      for (var value : texts) {
        var prefix = IndexRange.of(RoleInstance.KIND.name(), new Selection.Label(key, value)).key();
        assertThat(seen.put(prefix, key + "=" + value)).as("%s=%s", key, value).isNull();
      }
    }
    for (var one : seen.keySet()) {
      assertThat(seen.keySet()).filteredOn(other -> other.startsWith(one)).containsExactly(one);
    }
    assertThat(Optional.ofNullable(seen.get(""))).isEmpty();
  }
}
