package verwalter.stores.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * Tests each promise of {@link ObjectStore}. Extend it for each implementation. Tests of
 * capabilities that are not in {@link ObjectStore#capabilities} are skipped, and another test fails
 * if the store has such a capability.
 */
public abstract class ObjectStoreContract {
  private static final int SHORT = 10;
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  /** The world of the store under test. */
  protected final VirtualWorld world = new VirtualWorld(1);

  private EpochStore store;
  private Loop loop;
  private final List<String> reported = new ArrayList<>();

  /** An instance is used for one test. */
  @SuppressWarnings("NullAway.Init") // JUnit calls begin before any test
  protected ObjectStoreContract() {}

  /**
   * Creates an empty store whose history holds exactly {@code history} changes, or more if the last
   * transaction alone has more.
   */
  protected abstract EpochStore newStore(VirtualWorld world, int history);

  /** Reopens the store after a crash. Returns the store itself if it is not durable. */
  protected EpochStore reopened(EpochStore store) {
    return store;
  }

  /** The number of objects that lists and watches have read, if the store counts them. */
  protected OptionalLong visited(ObjectStore store) {
    return OptionalLong.empty();
  }

  @BeforeEach
  void begin() {
    store = newStore(world, 1000);
    loop = world.loop("watcher");
  }

  // Promise 1

  @Test
  @DisplayName("1: a committed object reads back with the revision of its write as its version")
  void aCommittedObjectReadsBack() {
    var put = put(instance("a", "x"));
    assertThat(store.get(RoleInstance.KIND, "a")).contains(put);
    assertThat(store.list(RoleInstance.KIND)).containsExactly(put);
    assertThat(put.meta().version()).isEqualTo(store.revision()).isPositive();
    assertThat(put.spec().role()).isEqualTo("x");
  }

  @Test
  @DisplayName("1: committed objects survive a crash, and revisions continue")
  void committedObjectsSurviveACrash() {
    var gone = put(instance("gone", "x"));
    var kept = putStatus(status(put(instance("a", "x").withMeta(holding("a", "f"))), "seen"));
    var deleting = remove(kept);
    remove(gone);
    long revision = store.revision();
    store = reopened(store);
    assertThat(store.revision()).isEqualTo(revision);
    assertThat(store.list(RoleInstance.KIND)).containsExactly(deleting);
    assertThat(put(instance("b", "x")).meta().version()).isEqualTo(revision + 1);
  }

  @Test
  @DisplayName("1: all fields of an object read back")
  void allFieldsReadBack() {
    var owner = put(instance("owner", "x"));
    var meta =
        holding("a", "f")
            .withLabels(Map.of("tier", "front", "z", ""))
            .withAnnotations(Map.of("note", "\"ä\\\n\u2028"))
            .ownedBy(OwnerReference.to(owner));
    var variables =
        Map.<String, Object>of("n", 1L, "d", 1.5, "t", true, "l", List.of(1L, "x", Map.of()));
    var spec = new RoleInstance.Spec("r", "n", "t", Optional.of("v1"), variables);
    var put = put(new Resource<>(RoleInstance.KIND, meta, spec, Optional.empty()));
    put = putStatus(status(put, "seen"));
    store = reopened(store);
    assertThat(store.get(RoleInstance.KIND, "a")).contains(put);
    assertThat(put.spec()).isEqualTo(spec);
    assertThat(put.meta().labels()).isEqualTo(meta.labels());
    assertThat(put.meta().annotations()).isEqualTo(meta.annotations());
  }

  // Promise 2

  @Test
  @DisplayName("2: a write based on an old version is refused and changes nothing")
  void aWriteBasedOnAnOldVersionIsRefused() {
    var first = put(instance("a", "x"));
    var second = put(spec(first, "y"));
    long revision = store.revision();
    assertRefused(store.put(spec(first, "z")), StoreException.Conflict.class);
    assertRefused(store.put(first), StoreException.Conflict.class);
    assertRefused(store.remove(first), StoreException.Conflict.class);
    assertThat(store.get(RoleInstance.KIND, "a")).contains(second);
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  @DisplayName("2: creating twice is refused")
  void creatingTwiceIsRefused() {
    put(instance("a", "x"));
    assertRefused(store.put(instance("a", "x")), StoreException.Exists.class);
    assertThat(put(node("a", false)).meta().version()).isPositive(); // of another kind
  }

  @Test
  @DisplayName("2: replacing or removing a removed object is refused")
  void replacingARemovedObjectIsRefused() {
    var put = put(instance("a", "x"));
    remove(put);
    assertRefused(store.put(spec(put, "y")), StoreException.Missing.class);
    assertRefused(store.remove(put), StoreException.Missing.class);
    assertRefused(store.remove(instance("never", "x")), StoreException.Missing.class);
  }

  @Test
  @DisplayName("2: a removal with version 0 removes any version")
  void aRemovalWithoutAVersionRemovesAnyVersion() {
    put(spec(put(instance("a", "x")), "y"));
    remove(instance("a", "ignored"));
    assertThat(store.get(RoleInstance.KIND, "a")).isEmpty();
  }

  // Promise 4

  @Test
  @DisplayName("4: generation counts different specs, not statuses or labels")
  void generationCountsSpecs() {
    var first = put(instance("a", "x"));
    var seen = putStatus(status(first, "seen"));
    var labelled = put(seen.withMeta(seen.meta().withLabels(Map.of("a", "b"))));
    var second = put(spec(labelled, "y"));
    assertThat(first.meta().generation()).isEqualTo(1);
    assertThat(labelled.meta().generation()).isEqualTo(1);
    assertThat(second.meta().generation()).isEqualTo(2);
  }

  @Test
  @DisplayName("4: a put keeps the stored status, and a status keeps the rest")
  void aPutKeepsTheStatus() {
    var first = put(instance("a", "x"));
    var seen = putStatus(status(first, "seen"));
    var labelled = seen.withMeta(seen.meta().withLabels(Map.of("a", "b")));
    var put = put(status(spec(labelled, "y"), "ignored"));
    assertThat(put.status()).isEqualTo(seen.status()).isPresent();
    assertThat(put.spec().role()).isEqualTo("y");
    var other = status(instance("a", "ignored").withMeta(first.meta()), "again");
    var again = putStatus(other.withMeta(put.meta().withLabels(Map.of())));
    assertThat(again.status().orElseThrow().reason()).isEqualTo("again");
    assertThat(again.spec()).isEqualTo(put.spec());
    assertThat(again.meta()).isEqualTo(put.meta().withVersion(store.revision()));
    assertThat(store.get(RoleInstance.KIND, "a")).contains(again);
  }

  @Test
  @DisplayName("4: only a creation may contain a status")
  void onlyACreationMayContainAStatus() {
    var put = put(status(instance("a", "x"), "made so"));
    assertThat(put.status().orElseThrow().reason()).isEqualTo("made so");
    assertThat(put.meta().generation()).isEqualTo(1);
    assertThat(store.get(RoleInstance.KIND, "a")).contains(put);
  }

  @Test
  @DisplayName("2: a status conflicts only with a later status, not with a write of the spec")
  void aStatusConflictsOnlyWithAStatus() {
    var first = put(instance("a", "x"));
    var second = put(spec(first, "y"));
    var third = putStatus(status(first, "one"));
    assertThat(third.spec()).isEqualTo(second.spec());
    assertThat(third.meta().generation()).isEqualTo(2);
    put(spec(third, "z"));
    var fourth = putStatus(status(third, "two"));
    assertRefused(store.putStatus(status(second, "late")), StoreException.Conflict.class);
    var any = fourth.withMeta(fourth.meta().withVersion(0));
    assertThat(putStatus(status(any, "three")).status().orElseThrow().reason()).isEqualTo("three");
  }

  @Test
  @DisplayName("2: the status of a removed object, or of another object with its name, is refused")
  void aStatusOfARemovedObjectIsRefused() {
    var first = put(instance("a", "x"));
    remove(first);
    assertRefused(store.putStatus(status(first, "late")), StoreException.Missing.class);
    var second = put(instance("a", "x"));
    assertRefused(store.putStatus(status(first, "late")), StoreException.Missing.class);
    assertThat(store.get(RoleInstance.KIND, "a")).contains(second);
  }

  // Promise 5

  @Test
  @DisplayName("5: only the store sets uid, times and generation")
  void onlyTheStoreSetsItsFields() {
    var when = Optional.of(Instant.EPOCH);
    var given = instance("a", "x");
    var put = put(given.withMeta(given.meta().committed("mine", 0, 77, when, when)));
    assertThat(put.meta().uid()).isNotEmpty().isNotEqualTo("mine");
    assertThat(put.meta().created()).contains(world.now());
    assertThat(put.meta().deleted()).isEmpty();
    assertThat(put.meta().generation()).isEqualTo(1);

    world.runFor(A_WHILE);
    var meta = put.meta().committed("", put.meta().version(), 9, when, when);
    var next = put(spec(put.withMeta(meta), "y"));
    assertThat(next.meta().uid()).isEqualTo(put.meta().uid());
    assertThat(next.meta().created()).isEqualTo(put.meta().created());
    assertThat(next.meta().deleting()).isFalse();
    assertThat(next.meta().generation()).isEqualTo(2);
  }

  @Test
  @DisplayName("5: a recreated object has another uid, and writes to the old object are refused")
  void aRecreatedObjectIsAnother() {
    var first = put(instance("a", "x"));
    remove(first);
    var second = put(instance("a", "x"));
    assertThat(second.meta().uid()).isNotEqualTo(first.meta().uid());
    var aimed =
        second
            .meta()
            .committed(
                first.meta().uid(), second.meta().version(), 1, Optional.empty(), Optional.empty());
    assertRefused(store.put(spec(second.withMeta(aimed), "y")), StoreException.Missing.class);
    assertRefused(store.remove(second.withMeta(aimed)), StoreException.Missing.class);
    assertRefused(
        store.remove(second.withMeta(aimed.withVersion(0))), StoreException.Missing.class);
    assertThat(store.get(RoleInstance.KIND, "a")).contains(second);
  }

  // Promise 6

  @Test
  @DisplayName("6: a write without a difference has no effect")
  void aWriteWithoutADifferenceHasNoEffect() {
    var put = putStatus(status(put(instance("a", "x")), "seen"));
    var deleting = remove(put(put.withMeta(put.meta().adding("f"))));
    watch();
    long revision = store.revision();
    assertThat(put(deleting)).isEqualTo(deleting);
    assertThat(remove(deleting)).isEqualTo(deleting);
    assertThat(store.revision()).isEqualTo(revision);
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("new a=x", "mark " + revision);
  }

  // Promise 8

  @Test
  @DisplayName("8: an object with finalizers is marked, and removed with the last of them")
  void finalizersDelayTheRemoval() {
    var held = put(instance("a", "x").withMeta(holding("a", "f", "g")));
    world.runFor(A_WHILE);
    var deleting = remove(held);
    assertThat(deleting.meta().deleted()).contains(world.now());
    assertThat(deleting.meta().version()).isEqualTo(store.revision());
    assertThat(store.get(RoleInstance.KIND, "a")).contains(deleting);
    watch();
    var half = put(deleting.withMeta(deleting.meta().removing("f")));
    assertThat(store.get(RoleInstance.KIND, "a")).contains(half);
    var gone = put(half.withMeta(half.meta().removing("g")));
    assertThat(gone.meta().version()).isEqualTo(store.revision());
    assertThat(store.get(RoleInstance.KIND, "a")).isEmpty();
    world.runFor(A_WHILE);
    assertThat(reported).endsWith("put a=x", "gone a=x@" + store.revision());
  }

  @Test
  @DisplayName("8: a deleting object can change, but no finalizer can be added")
  void whileDeletingNoFinalizerCanBeAdded() {
    var deleting = remove(put(instance("a", "x").withMeta(holding("a", "f"))));
    var more = deleting.withMeta(deleting.meta().adding("g"));
    assertRefused(store.put(more), StoreException.Invalid.class);
    var other = deleting.withMeta(deleting.meta().withFinalizers(List.of("g")));
    assertRefused(store.put(other), StoreException.Invalid.class);
    var changed = putStatus(status(put(spec(deleting, "y")), "stopping"));
    assertThat(changed.meta().deleting()).isTrue();
    assertThat(changed.meta().generation()).isEqualTo(2);
  }

  @Test
  @DisplayName("8: a deletion cannot be reverted, and a deleting object cannot be recreated")
  void aDeletionCannotBeReverted() {
    var deleting = remove(put(instance("a", "x").withMeta(holding("a", "f"))));
    var undone =
        deleting
            .meta()
            .committed("", deleting.meta().version(), 1, Optional.empty(), Optional.empty());
    assertThat(put(spec(deleting.withMeta(undone), "y")).meta().deleting()).isTrue();
    assertRefused(store.put(instance("a", "new")), StoreException.Exists.class);
  }

  // Promise 10

  @Test
  @DisplayName("10: pages show one revision, even if objects change between them")
  void pagesShowOneRevision() {
    for (var name : List.of("e", "c", "a", "d", "b")) {
      put(instance(name, "old"));
    }
    var first = store.list(RoleInstance.KIND, Query.ALL.limit(2));
    assertThat(first.items()).extracting(Resource::name).containsExactly("a", "b");
    assertThat(first.remaining()).isEqualTo(3);
    put(spec(store.get(RoleInstance.KIND, "d").orElseThrow(), "new"));
    remove(instance("c", ""));
    put(instance("bb", "new"));
    var second = next(first.next(), 2);
    assertThat(second.revision()).isEqualTo(first.revision());
    assertThat(second.items()).extracting(Resource::name).containsExactly("c", "d");
    assertThat(second.items().get(1).spec().role()).isEqualTo("old");
    var third = next(second.next(), 2);
    assertThat(third.items()).extracting(Resource::name).containsExactly("e");
    assertThat(third.next()).isEmpty();
    assertThat(third.remaining()).isZero();
  }

  @Test
  @DisplayName(
      "10: a filter selects objects, and the remaining objects are counted before filtering")
  void aFilterSelectsObjects() {
    IntStream.range(0, 6).forEach(i -> put(instance("n" + i, i % 2 == 0 ? "even" : "odd")));
    var even = Query.where(each -> ((RoleInstance.Spec) each.spec()).role().equals("even"));
    assertThat(store.list(RoleInstance.KIND, even).items())
        .extracting(Resource::name)
        .containsExactly("n0", "n2", "n4");
    var page = store.list(RoleInstance.KIND, even.limit(2));
    assertThat(page.items()).extracting(Resource::name).containsExactly("n0", "n2");
    assertThat(page.remaining()).isEqualTo(3);
    var rest = store.list(RoleInstance.KIND, even.limit(2).continuing(page.next().orElseThrow()));
    assertThat(rest.items()).extracting(Resource::name).containsExactly("n4");
  }

  @Test
  @DisplayName("10: a page of a dropped revision is refused")
  void anOldPageIsRefused() {
    store = newStore(world, SHORT);
    put(instance("a", "x"));
    put(instance("b", "x"));
    var page = store.list(RoleInstance.KIND, Query.ALL.limit(1));
    churn(5 * SHORT);
    assertThatThrownBy(() -> next(page.next(), 1)).isInstanceOf(StoreException.TooOld.class);
    var forged = Query.ALL.limit(1).continuing("forged");
    assertThatThrownBy(() -> store.list(RoleInstance.KIND, forged))
        .isInstanceOf(StoreException.Invalid.class);
  }

  // Promise 11

  @Test
  @DisplayName("11: a watch reports existing objects, a bookmark, then every change once, in order")
  void aWatchReplaysThenFollows() {
    put(instance("b", "1"));
    var a = put(instance("a", "1"));
    put(node("n", false));
    watch();
    world.runFor(A_WHILE);
    assertThat(reported)
        .containsExactly("new a=1", "new b=1", "mark " + store.revision(RoleInstance.KIND));
    reported.clear();
    put(spec(a, "2"));
    put(instance("c", "1"));
    remove(instance("b", ""));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("put a=2", "new c=1", "gone b=1@" + store.revision());
  }

  @Test
  @DisplayName("11: changes before the first turn of the watcher's loop are reported once")
  void changesBeforeTheFirstTurnAreReportedOnce() {
    put(instance("a", "1"));
    long revision = store.revision();
    watch();
    put(instance("b", "1"));
    put(spec(store.get(RoleInstance.KIND, "a").orElseThrow(), "2"));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("new a=1", "mark " + revision, "new b=1", "put a=2");
  }

  @Test
  @DisplayName("11: a watch after a revision reports only later changes")
  void aWatchResumes() {
    var a = put(instance("a", "1"));
    put(node("n", false));
    var after = store.revision();
    a = put(spec(a, "2"));
    remove(a);
    put(instance("a", "3"));
    watch(OptionalLong.of(after));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("put a=2", "gone a=2@" + (after + 2), "new a=3");
  }

  @Test
  @DisplayName("11: a watch resumes after a crash")
  void aWatchResumesAfterACrash() {
    var a = put(instance("a", "1"));
    long after = store.revision();
    remove(put(spec(a, "2")));
    store = reopened(store);
    put(instance("b", "1"));
    watch(OptionalLong.of(after));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("put a=2", "gone a=2@" + (after + 2), "new b=1");
  }

  @Test
  @DisplayName("11: a watch after a dropped or unknown revision ends at once")
  void aWatchAfterADroppedRevisionEnds() {
    store = newStore(world, SHORT);
    put(instance("a", "1"));
    long after = store.revision();
    churn(5 * SHORT);
    watch(OptionalLong.of(after));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("end TooOld");
    reported.clear();
    watch(OptionalLong.of(store.revision() + 1));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("end TooOld");
  }

  @Test
  @DisplayName("11: all changes of a transaction are reported together")
  void aTransactionIsReportedTogether() {
    var seen = new ArrayList<Long>();
    store.watch(RoleInstance.KIND, loop, change -> seen.add(world.steps()));
    world.runFor(A_WHILE);
    seen.clear();
    var writes = new ArrayList<Write>();
    IntStream.range(0, 600).forEach(i -> writes.add(new Write.Put(instance("n" + i, "x"))));
    world.await(store.commit(writes));
    world.runFor(A_WHILE);
    assertThat(seen).hasSizeGreaterThanOrEqualTo(600);
    assertThat(seen.stream().distinct().limit(2)).hasSize(1);
  }

  @Test
  @DisplayName("11: a long list is reported completely, followed by changes")
  void aLongListIsReportedCompletely() {
    var writes = new ArrayList<Write>();
    IntStream.range(0, 900).forEach(i -> writes.add(new Write.Put(instance("n" + i, "x"))));
    world.await(store.commit(writes));
    long revision = store.revision();
    watch();
    put(instance("z", "y"));
    world.runFor(A_WHILE);
    assertThat(reported).hasSize(902).doesNotHaveDuplicates();
    assertThat(reported.subList(900, 902)).containsExactly("mark " + revision, "new z=y");
  }

  // Promise 12

  @Test
  @DisplayName("12: a watcher runs on its loop only, and not before watch has returned")
  void aWatcherRunsOnItsLoop() {
    put(instance("a", "x"));
    var places = new ArrayList<Boolean>();
    loop.execute(
        () -> {
          store.watch(RoleInstance.KIND, loop, change -> places.add(world.isOn(loop)));
          assertThat(places).isEmpty();
        });
    world.runFor(A_WHILE);
    put(instance("b", "x"));
    world.runFor(A_WHILE);
    assertThat(places).hasSize(3).containsOnly(true);
  }

  @Test
  @DisplayName("12: a closed watch reports nothing")
  void aClosedWatchReportsNothing() {
    put(instance("a", "x"));
    watch().close();
    var later = watch();
    world.runFor(A_WHILE);
    reported.clear();
    put(instance("b", "x"));
    later.close();
    later.close();
    reported.clear(); // a slow store may have reported the change before its write completed
    world.runFor(A_WHILE);
    assertThat(reported).isEmpty();
  }

  @Test
  @DisplayName(
      "12: a watcher that closes its watch receives nothing more, not even in the same turn")
  void aWatchCanBeClosedFromWithin() {
    put(instance("a", "x"));
    put(instance("b", "x"));
    var watches = new ArrayList<Watch>();
    watches.add(
        store.watch(
            RoleInstance.KIND,
            loop,
            change -> {
              reported.add(text(change));
              watches.get(0).close();
            }));
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("new a=x");
  }

  // Promise 13

  @Test
  @DisplayName("13: the watch of a slow watcher ends and reports nothing more")
  void aSlowWatcherEnds() {
    store = newStore(world, SHORT);
    watch();
    world.runFor(A_WHILE);
    reported.clear();
    var busy = new ArrayList<Future<?>>();
    loop.execute(
        () ->
            IntStream.range(0, 5 * SHORT)
                .forEach(i -> busy.add(store.put(instance("n" + i, "x")))));
    world.runUntil(() -> busy.size() == 5 * SHORT, A_WHILE);
    busy.forEach(world::await);
    world.runFor(A_WHILE);
    if (reported.contains("end TooSlow")) {
      assertThat(reported).endsWith("end TooSlow").hasSizeLessThan(5 * SHORT);
    } else {
      assertThat(reported).hasSize(5 * SHORT); // its loop ran often enough between the writes
    }
  }

  @Test
  @DisplayName("13: changes of other kinds do not make a watcher slow")
  void otherKindsDoNotMakeAWatcherSlow() {
    store = newStore(world, SHORT);
    put(instance("a", "x"));
    watch();
    world.runFor(A_WHILE);
    IntStream.range(0, 5 * SHORT).forEach(i -> put(node("n" + i, false)));
    put(instance("b", "x"));
    world.runFor(A_WHILE);
    assertThat(reported).contains("new b=x").noneMatch(each -> each.startsWith("end"));
  }

  // Promise 14

  @Test
  @DisplayName(
      "14: a watch of a kind without changes receives bookmarks from which it can be resumed")
  void quietKindsGetBookmarks() {
    store = newStore(world, SHORT);
    watch();
    world.runFor(A_WHILE);
    reported.clear();
    IntStream.range(0, 5 * SHORT).forEach(i -> put(output("n" + i)));
    world.runFor(A_WHILE);
    assertThat(reported).isNotEmpty().allMatch(each -> each.startsWith("mark "));
    long last = Long.parseLong(reported.get(reported.size() - 1).substring(5));
    assertThat(last).isGreaterThan(store.revision() - SHORT);
    reported.clear();
    put(instance("a", "x"));
    watch(OptionalLong.of(last));
    world.runFor(A_WHILE);
    assertThat(reported).filteredOn(each -> each.equals("new a=x")).hasSize(2);
  }

  // Promise 15

  @Test
  @DisplayName("15: invalid names are refused")
  void badNamesAreRefused() {
    for (var name : List.of("", "a/b", "-a", "a ", "ä", "a\0", ".", "x".repeat(254))) {
      assertRefused(store.put(instance(name, "x")), StoreException.Invalid.class);
    }
    put(instance("role.v1_2@node-3", "x"));
    put(instance("x".repeat(253), "x"));
  }

  @Test
  @DisplayName("15: an object of the largest size is accepted, a larger one is refused")
  void largeObjectsAreRefused() {
    assertRefused(store.put(sized("a", ObjectStore.MAX_BYTES + 1)), StoreException.Invalid.class);
    var put = put(sized("a", ObjectStore.MAX_BYTES));
    assertThat(putStatus(status(put(spec(put, "small")), "seen")).meta().version()).isPositive();
    assertRefused(
        store.put(instance("b", "ä".repeat(ObjectStore.MAX_BYTES / 2))),
        StoreException.Invalid.class);
  }

  @Test
  @DisplayName("15: the size limit applies to spec and status together")
  void specAndStatusAreNotTooLargeTogether() {
    var put = put(sized("a", ObjectStore.MAX_BYTES));
    assertRefused(store.putStatus(status(put, "x")), StoreException.Invalid.class);
    var small = putStatus(status(put(spec(put, "small")), "x".repeat(1000)));
    var large = sized("a", ObjectStore.MAX_BYTES).spec();
    assertRefused(store.put(small.withSpec(large)), StoreException.Invalid.class);
    var both = status(put(spec(small, "smaller")), "x".repeat(ObjectStore.MAX_BYTES));
    assertRefused(store.putStatus(both), StoreException.Invalid.class);
  }

  // Promise 16

  @Test
  @DisplayName("16: a list of a selection contains exactly the selected objects")
  void selectionsAreListed() {
    var node = put(node("n1", false));
    var owner = put(instance("owner", "x"));
    put(owned("child", owner));
    put(placed("a@n1", "a", "n1"));
    put(placed("a@n2", "a", "n2"));
    var labelled = placed("b@n1", "b", "n1");
    put(labelled.withMeta(labelled.meta().withLabels(Map.of("tier", "front"))));
    assertThat(listed(new Selection.Node("n1"))).containsExactly("a@n1", "b@n1");
    assertThat(listed(new Selection.Role("a"))).containsExactly("a@n1", "a@n2");
    assertThat(listed(new Selection.Owner(owner.meta().uid()))).containsExactly("child");
    assertThat(listed(new Selection.Label("tier", "front"))).containsExactly("b@n1");
    assertThat(listed(new Selection.Label("tier", ""))).isEmpty();
    assertThat(listed(new Selection.Node("n3"))).isEmpty();
    assertThat(listed(Selection.ALL)).hasSize(5);
    assertThat(store.list(Node.KIND, new Selection.Node("n1"))).containsExactly(node);
  }

  @Test
  @DisplayName("16: a selection is listed page by page, and filtered")
  void selectionsAreListedInPages() {
    IntStream.range(0, 5).forEach(i -> put(placed("r" + i + "@n1", "r" + i, "n1")));
    IntStream.range(0, 5).forEach(i -> put(placed("r" + i + "@n2", "r" + i, "n2")));
    var query = Query.of(new Selection.Node("n2")).limit(2);
    var first = store.list(RoleInstance.KIND, query);
    put(placed("r5@n2", "r5", "n2"));
    var second = store.list(RoleInstance.KIND, query.continuing(first.next().orElseThrow()));
    var third = store.list(RoleInstance.KIND, query.continuing(second.next().orElseThrow()));
    assertThat(first.items()).extracting(Resource::name).containsExactly("r0@n2", "r1@n2");
    assertThat(first.remaining()).isEqualTo(3);
    assertThat(second.items()).extracting(Resource::name).containsExactly("r2@n2", "r3@n2");
    assertThat(third.items()).extracting(Resource::name).containsExactly("r4@n2");
    assertThat(third.next()).isEmpty();
    var filtered = Query.of(new Selection.Node("n2")).filtered(each -> each.name().contains("1"));
    assertThat(store.list(RoleInstance.KIND, filtered).items())
        .extracting(Resource::name)
        .containsExactly("r1@n2");
  }

  @Test
  @DisplayName("16: a watch of a selection reports objects that enter, change and leave")
  void selectionsAreWatched() {
    var one = put(placed("one", "a", "n1"));
    put(placed("two", "b", "n2"));
    watch(new Selection.Node("n1"), OptionalLong.empty());
    world.runFor(A_WHILE);
    assertThat(reported).containsExactly("new one=a", "mark " + store.revision());
    reported.clear();
    long before = store.revision();
    one = put(one.withSpec(placed("", "c", "n1").spec()));
    put(store.get(RoleInstance.KIND, "two").orElseThrow().withSpec(placed("", "b", "n1").spec()));
    one = put(one.withSpec(placed("", "d", "n2").spec()));
    put(one.withSpec(placed("", "e", "n2").spec()));
    remove(one.withMeta(one.meta().withVersion(0)));
    remove(instance("two", ""));
    world.runFor(A_WHILE);
    var expected =
        List.of(
            "put one=c",
            "new two=b",
            "gone one=c@" + (before + 3),
            "gone two=b@" + store.revision());
    assertThat(reported).isEqualTo(expected);
    reported.clear();
    watch(new Selection.Node("n1"), OptionalLong.of(before));
    world.runFor(A_WHILE);
    assertThat(reported).isEqualTo(expected);
  }

  @Test
  @DisplayName("16: adding or removing a label lets an object enter or leave a selection")
  void labelsAreWatched() {
    var a = put(instance("a", "x"));
    watch(new Selection.Label("tier", "front"), OptionalLong.empty());
    a = put(a.withMeta(a.meta().withLabels(Map.of("tier", "front"))));
    a = put(a.withMeta(a.meta().withLabels(Map.of("tier", "back"))));
    put(a.withMeta(a.meta().withLabels(Map.of("tier", "front", "b", "c"))));
    world.runFor(A_WHILE);
    assertThat(reported.subList(1, reported.size()))
        .containsExactly("new a=x", "gone a=x@" + (store.revision() - 1), "new a=x");
  }

  @Test
  @DisplayName("16: a list or a watch of a selection reads no other objects")
  void selectionsReadNoOtherObjects() {
    assumeTrue(visited(store).isPresent(), "the store does not count");
    var writes = new ArrayList<Write>();
    IntStream.range(0, 100).forEach(i -> writes.add(new Write.Put(placed("a@" + i, "a", "n" + i))));
    world.await(store.commit(writes));
    long before = visited(store).orElseThrow();
    assertThat(listed(new Selection.Node("n7"))).hasSize(1);
    assertThat(visited(store).orElseThrow() - before).isEqualTo(1);
    watch(new Selection.Node("n7"), OptionalLong.empty());
    world.runFor(A_WHILE);
    before = visited(store).orElseThrow();
    IntStream.range(0, 50).forEach(i -> remove(placed("a@" + (50 + i), "", "")));
    world.runFor(A_WHILE);
    assertThat(visited(store).orElseThrow()).as("another node's objects").isEqualTo(before);
    remove(placed("a@7", "", ""));
    world.runFor(A_WHILE);
    assertThat(visited(store).orElseThrow()).isEqualTo(before + 1);
    assertThat(reported).endsWith("gone a@7=a@" + store.revision());
  }

  // Promise 17

  @Test
  @DisplayName("17: a write fenced by another epoch is refused and changes nothing")
  void writesOfAnotherEpochAreFenced() {
    long epoch = store.epoch();
    var write = List.<Write>of(new Write.Put(instance("a", "x")));
    assertRefused(store.commit(write, Fence.epoch(epoch + 1)), StoreException.Fenced.class);
    long next = world.await(store.beginEpoch(0));
    assertThat(next).isEqualTo(epoch + 1).isEqualTo(store.epoch());
    assertRefused(store.commit(write, Fence.epoch(epoch)), StoreException.Fenced.class);
    assertThat(store.list(RoleInstance.KIND)).isEmpty();
    world.await(store.commit(write, Fence.epoch(next)));
    put(instance("b", "x"));
    assertThat(store.list(RoleInstance.KIND)).hasSize(2);
  }

  @Test
  @DisplayName("17: epochs only increase")
  void epochsOnlyIncrease() {
    long epoch = store.epoch();
    assertThat(world.await(store.beginEpoch(epoch + 10))).isEqualTo(epoch + 10);
    assertThat(world.await(store.beginEpoch(epoch + 5))).isEqualTo(epoch + 11);
    assertThat(store.epoch()).isEqualTo(epoch + 11);
  }

  private List<String> listed(Selection selection) {
    return store.list(RoleInstance.KIND, selection).stream().map(Resource::name).toList();
  }

  // Capabilities

  private void assumeDeclared(Capability capability) {
    assumeTrue(store.capabilities().contains(capability), () -> "no " + capability);
  }

  @Test
  @DisplayName("transactions over kinds are declared if, and only if, the store has them")
  void transactionsAreDeclaredRightly() {
    var first = new Write.Put(instance("probe-a", "x"));
    var missing = node("probe", false);
    var bad = new Write.Put(missing.withMeta(missing.meta().withVersion(99)));
    boolean together = !succeeds(store.commit(List.of(first, bad)));
    together &= store.get(RoleInstance.KIND, "probe-a").isEmpty();
    var good =
        store.commit(
            List.of(new Write.Put(instance("probe-b", "x")), new Write.Put(node("n", true))));
    together &= succeeds(good);
    together &=
        store.get(RoleInstance.KIND, "probe-b").map(each -> each.meta().version()).orElse(-1L)
            == store.get(Node.KIND, "n").map(each -> each.meta().version()).orElse(-2L).longValue();
    assertDeclared(Capability.TRANSACTIONS, together);
  }

  @Test
  @DisplayName("one total order is declared if, and only if, the store has it")
  void aTotalOrderIsDeclaredRightly() {
    long first = put(instance("probe-a", "x")).meta().version();
    long second = put(node("probe", false)).meta().version();
    long third = put(instance("probe-b", "x")).meta().version();
    boolean ordered = second == first + 1 && third == second + 1 && store.revision() == third;
    assertDeclared(Capability.TOTAL_ORDER, ordered);
  }

  @Test
  @DisplayName("removal with owners is declared if, and only if, the store has it")
  void ownerRemovalIsDeclaredRightly() {
    var owner = put(node("probe", false));
    boolean accepted = succeeds(store.put(owned("probe", owner)));
    var removed = remove(owner);
    boolean gone = accepted && store.get(RoleInstance.KIND, "probe").isEmpty();
    gone &= store.revision() == removed.meta().version();
    assertDeclared(Capability.OWNER_REMOVAL, gone);
  }

  private boolean succeeds(Future<?> write) {
    world.runUntil(write::isComplete, A_WHILE);
    return write.succeeded();
  }

  private void assertDeclared(Capability capability, boolean kept) {
    assertThat(store.capabilities().contains(capability))
        .as("the store %s %s", kept ? "has" : "lacks", capability)
        .isEqualTo(kept);
  }

  /** Promise 3: for stores with one total order. */
  @Nested
  class TotalOrder {
    @BeforeEach
    void isDeclared() {
      assumeDeclared(Capability.TOTAL_ORDER);
    }

    @Test
    @DisplayName("3: revisions increase by one per transaction, over all kinds")
    void revisionsGrowByOne() {
      long before = store.revision();
      assertThat(put(instance("a", "x")).meta().version()).isEqualTo(before + 1);
      assertThat(put(node("a", false)).meta().version()).isEqualTo(before + 2);
      assertThat(remove(node("a", false)).meta().version()).isEqualTo(before + 3);
      assertThat(store.revision()).isEqualTo(before + 3);
    }
  }

  /** Promise 7: for stores with transactions over kinds. */
  @Nested
  class Transactions {
    @BeforeEach
    void isDeclared() {
      assumeDeclared(Capability.TRANSACTIONS);
    }

    @Test
    @DisplayName("7: a transaction commits all its writes at one revision, in order")
    void aTransactionCommitsTogether() {
      var old = put(instance("old", "x"));
      var results =
          world.await(
              store.commit(
                  List.of(
                      new Write.Put(instance("a", "1")),
                      new Write.Remove(old),
                      new Write.Put(node("n", true)))));
      assertThat(results).extracting(Resource::name).containsExactly("a", "old", "n");
      assertThat(results)
          .allSatisfy(each -> assertThat(each.meta().version()).isEqualTo(store.revision()));
      assertThat(store.get(RoleInstance.KIND, "old")).isEmpty();
      assertThat(store.get(Node.KIND, "n").orElseThrow().spec().cordoned()).isTrue();
    }

    @Test
    @DisplayName("7: a transaction with a refused write changes nothing and fails with its error")
    void aTransactionIsAllOrNothing() {
      var old = put(instance("old", "x"));
      var other = put(instance("other", "x"));
      long revision = store.revision();
      var refused =
          store.commit(
              List.of(
                  new Write.Put(instance("a", "1")),
                  new Write.Remove(old),
                  new Write.Put(other.withMeta(other.meta().withVersion(99)))));
      assertRefused(refused, StoreException.Conflict.class);
      assertThat(store.list(RoleInstance.KIND)).containsExactly(old, other);
      assertThat(store.revision()).isEqualTo(revision);
    }

    @Test
    @DisplayName("7: a transaction fails with the error of its first refused write")
    void theFirstRefusalCounts() {
      put(instance("a", "x"));
      var tooLarge = new Write.Put(sized("b", ObjectStore.MAX_BYTES + 1));
      var existing = new Write.Put(instance("a", "x"));
      assertRefused(store.commit(List.of(existing, tooLarge)), StoreException.Exists.class);
      assertRefused(store.commit(List.of(tooLarge, existing)), StoreException.Invalid.class);
    }

    @Test
    @DisplayName(
        "7: an empty transaction has no effect; an object cannot be written twice in a transaction")
    void oddTransactions() {
      long revision = store.revision();
      assertThat(world.await(store.commit(List.of()))).isEmpty();
      assertThat(store.revision()).isEqualTo(revision);
      var twice = new Write.Put(instance("a", "x"));
      assertRefused(store.commit(List.of(twice, twice)), StoreException.Invalid.class);
      assertThat(store.get(RoleInstance.KIND, "a")).isEmpty();
    }

    @Test
    @DisplayName("7: spec and status of one object can be written in one transaction")
    void specAndStatusGoTogether() {
      var first = put(instance("a", "x"));
      var next = status(spec(first, "y"), "seen");
      watch();
      world.runFor(A_WHILE);
      reported.clear();
      var both = List.<Write>of(new Write.Put(next), new Write.PutStatus(next));
      var results = world.await(store.commit(both));
      var now = store.get(RoleInstance.KIND, "a").orElseThrow();
      assertThat(results.get(1)).isEqualTo(now);
      assertThat(now.spec().role()).isEqualTo("y");
      assertThat(now.status().orElseThrow().reason()).isEqualTo("seen");
      assertThat(now.meta().version()).isEqualTo(first.meta().version() + 1);
      assertThat(now.meta().generation()).isEqualTo(2);
      world.runFor(A_WHILE);
      assertThat(reported).containsExactly("put a=y");
      assertRefused(
          store.commit(List.of(new Write.PutStatus(now), new Write.Put(now))),
          StoreException.Invalid.class);
      assertRefused(
          store.commit(List.of(new Write.Remove(now), new Write.PutStatus(now))),
          StoreException.Invalid.class);
    }

    @Test
    @DisplayName(
        "7: a status that is older than the stored one is refused beside a write of the spec")
    void aStaleStatusIsRefusedBesideASpec() {
      var first = put(instance("a", "x"));
      var second = putStatus(status(first, "one"));
      var stale = new Write.PutStatus(status(first, "late"));
      assertRefused(
          store.commit(List.of(new Write.Put(spec(second, "y")), stale)),
          StoreException.Conflict.class);
      assertThat(store.get(RoleInstance.KIND, "a")).contains(second);
    }
  }

  /** Promise 9: for stores that remove objects with their owners. */
  @Nested
  class OwnerRemoval {
    @BeforeEach
    void isDeclared() {
      assumeDeclared(Capability.OWNER_REMOVAL);
    }

    @Test
    @DisplayName("9: an object is removed in the same revision as its last owner, recursively")
    void removalCascades() {
      var grandparent = put(node("n", false));
      var parent = put(owned("parent", grandparent));
      put(owned("child", parent));
      put(instance("free", "x"));
      watch();
      remove(grandparent);
      assertThat(store.list(RoleInstance.KIND)).extracting(Resource::name).containsExactly("free");
      world.runFor(A_WHILE);
      long revision = store.revision();
      assertThat(reported)
          .endsWith("gone parent=x@" + revision, "gone child=x@" + revision)
          .hasSize(6);
    }

    @Test
    @DisplayName("9: an object with another owner remains")
    void anObjectStaysWithItsOtherOwner() {
      var one = put(node("one", false));
      var two = put(node("two", false));
      var child = owned("child", one);
      var owners = List.of(OwnerReference.to(one), OwnerReference.to(two));
      put(child.withMeta(owning(child, owners)));
      remove(one);
      assertThat(store.get(RoleInstance.KIND, "child")).isPresent();
      remove(two);
      assertThat(store.get(RoleInstance.KIND, "child")).isEmpty();
    }

    @Test
    @DisplayName("9: finalizers delay the removal of a dependent and of its own dependents")
    void cascadesHonourFinalizers() {
      var owner = put(node("n", false));
      var parent = owned("parent", owner);
      var held = put(parent.withMeta(parent.meta().adding("f")));
      put(owned("child", held));
      remove(owner);
      var deleting = store.get(RoleInstance.KIND, "parent").orElseThrow();
      assertThat(deleting.meta().deleting()).isTrue();
      assertThat(deleting.meta().version()).isEqualTo(store.revision());
      assertThat(store.get(RoleInstance.KIND, "child").orElseThrow().meta().deleting()).isFalse();
      store = reopened(store);
      put(deleting.withMeta(deleting.meta().removing("f"))); // although its owner was removed
      assertThat(store.list(RoleInstance.KIND)).isEmpty();
    }

    @Test
    @DisplayName("9: a deleting owner still counts as an owner")
    void aDeletingOwnerStillCounts() {
      var owner = node("n", false);
      var deleting = remove(put(owner.withMeta(owner.meta().adding("f"))));
      put(owned("child", deleting));
      assertThat(store.get(RoleInstance.KIND, "child")).isPresent();
      put(deleting.withMeta(deleting.meta().removing("f")));
      assertThat(store.get(RoleInstance.KIND, "child")).isEmpty();
    }

    @Test
    @DisplayName("9: an object with owners of which none exists is refused")
    void ownersMustExist() {
      var owner = put(node("n", false));
      remove(owner);
      assertRefused(store.put(owned("child", owner)), StoreException.Invalid.class);
      var another = put(node("n", false));
      assertRefused(store.put(owned("child", owner)), StoreException.Invalid.class);
      var child = put(owned("child", another));
      assertRefused(
          store.put(child.withMeta(owning(child, List.of(OwnerReference.to(owner))))),
          StoreException.Invalid.class);
      var both = List.of(OwnerReference.to(owner), OwnerReference.to(another));
      put(child.withMeta(owning(child, both)));
    }

    @Test
    @DisplayName("9: a transaction may remove an owner and give its dependent another one")
    void adoptionInOneTransaction() {
      var owner = put(node("n", false));
      var heir = put(node("heir", false));
      var child = put(owned("child", owner));
      var adopted = child.withMeta(owning(child, List.of(OwnerReference.to(heir))));
      world.await(store.commit(List.of(new Write.Remove(owner), new Write.Put(adopted))));
      assertThat(store.get(RoleInstance.KIND, "child")).isPresent();
    }
  }

  /** An object whose JSON is exactly {@code bytes} long. */
  private static Resource<RoleInstance.Spec, RoleInstance.Status> sized(String name, int bytes) {
    int rest = Codec.json(instance(name, "")).length;
    return instance(name, "x".repeat(bytes - rest));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String name, String text) {
    return Resource.of(
        RoleInstance.KIND,
        name,
        new RoleInstance.Spec(text, "node", "template", Optional.empty(), Map.of()));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> placed(
      String name, String role, String node) {
    var spec = new RoleInstance.Spec(role, node, "template", Optional.empty(), Map.of());
    return Resource.of(RoleInstance.KIND, name, spec);
  }

  private static Resource<Node.Spec, Node.Status> node(String name, boolean cordoned) {
    return Resource.of(Node.KIND, name, new Node.Spec(cordoned));
  }

  private static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(String name) {
    return Resource.of(
        TemplateOutput.KIND, name, new TemplateOutput.Spec("x", "node", "template", Map.of()));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> owned(
      String name, Resource<?, ?> owner) {
    var object = instance(name, "x");
    return object.withMeta(object.meta().ownedBy(OwnerReference.to(owner)));
  }

  private static Metadata owning(Resource<?, ?> object, List<OwnerReference> all) {
    var meta = object.meta();
    return new Metadata(
        meta.name(),
        meta.uid(),
        meta.version(),
        meta.generation(),
        meta.labels(),
        meta.annotations(),
        meta.finalizers(),
        all,
        meta.created(),
        meta.deleted());
  }

  private static Metadata holding(String name, String... finalizers) {
    return Metadata.named(name).withFinalizers(List.of(finalizers));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> spec(
      Resource<RoleInstance.Spec, RoleInstance.Status> object, String text) {
    return object.withSpec(instance("", text).spec());
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> status(
      Resource<RoleInstance.Spec, RoleInstance.Status> object, String reason) {
    return object.withStatus(
        new RoleInstance.Status(
            1, RoleInstance.State.RUNNING, 1, 1, 0, Instant.EPOCH, reason, List.of()));
  }

  private <S, T> Resource<S, T> put(Resource<S, T> object) {
    return world.await(store.put(object));
  }

  private <S, T> Resource<S, T> putStatus(Resource<S, T> object) {
    return world.await(store.putStatus(object));
  }

  private <S, T> Resource<S, T> remove(Resource<S, T> object) {
    return world.await(store.remove(object));
  }

  private void churn(int writes) {
    IntStream.range(0, writes).forEach(i -> put(instance("churn" + i, "x")));
  }

  private Page<RoleInstance.Spec, RoleInstance.Status> next(Optional<String> token, int limit) {
    return store.list(RoleInstance.KIND, Query.ALL.limit(limit).continuing(token.orElseThrow()));
  }

  private Watch watch() {
    return watch(OptionalLong.empty());
  }

  private Watch watch(OptionalLong after) {
    return watch(Selection.ALL, after);
  }

  private Watch watch(Selection selection, OptionalLong after) {
    return store.watch(
        RoleInstance.KIND, selection, after, loop, change -> reported.add(text(change)));
  }

  private static String text(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
      return (put.created() ? "new " : "put ") + text(put.resource());
    }
    if (change instanceof Change.Removed<RoleInstance.Spec, RoleInstance.Status> removed) {
      return "gone " + text(removed.resource()) + "@" + removed.revision();
    }
    if (change instanceof Change.Ended<RoleInstance.Spec, RoleInstance.Status> ended) {
      return "end " + ended.reason().getClass().getSimpleName();
    }
    return "mark " + change.revision();
  }

  private static String text(Resource<RoleInstance.Spec, RoleInstance.Status> object) {
    return object.name() + "=" + object.spec().role();
  }

  private void assertRefused(Future<?> write, Class<? extends StoreException> expected) {
    assertThat(world.failure(write)).isInstanceOf(expected);
  }
}
