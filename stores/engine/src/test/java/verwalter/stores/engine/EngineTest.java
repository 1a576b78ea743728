package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** Tests the engine with a log that the test controls and that other processes write to. */
class EngineTest {
  private static final EngineOptions OPTIONS =
      new EngineOptions(HistoryLimit.DEFAULT, Long.MAX_VALUE);

  private final VirtualWorld world = new VirtualWorld(1);
  private final ScriptedLog log = new ScriptedLog();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private Engine engine;

  /** A log that holds appended entries until the test commits them. */
  private static final class ScriptedLog implements Log {
    final List<Entry> held = new ArrayList<>();
    final List<Entry> committed = new ArrayList<>();
    long largest = Long.MAX_VALUE;
    long largestAppend = Long.MAX_VALUE;
    String brokenAt = "";
    String bug = "";
    boolean immediate;
    int applied;
    boolean closed;
    Follower follower;
    Receipt receipt;

    @Override
    public void read(Reader reader) throws IOException {
      long index = 0;
      for (var each : committed) {
        reader.entry(++index, Objects.sent(each));
      }
      reader.complete();
    }

    @Override
    public void follow(Follower next) {
      follower = next;
    }

    @Override
    public void append(long first, List<Entry> entries, Receipt next) {
      assertThat(first).isEqualTo(committed.size() + 1L);
      assertThat(receipt).as("an append in progress").isNull();
      if (!bug.isEmpty()) {
        throw new IllegalStateException(bug);
      }
      if (immediate) {
        report(entries, true);
        next.committed();
        return;
      }
      held.addAll(entries);
      receipt = next;
    }

    void pass() {
      report(List.copyOf(held), true);
      take().committed();
    }

    void otherProcess(Entry entry) {
      report(List.of(Objects.sent(entry)), false);
    }

    private void report(List<Entry> entries, boolean ours) {
      long first = committed.size() + 1L;
      committed.addAll(entries);
      follower.committed(first, entries, ours);
    }

    Receipt take() {
      var now = receipt;
      held.clear();
      receipt = null;
      return now;
    }

    @Override
    public void applied(Snapshot latest) throws IOException {
      applied++;
      assertThat(latest.index()).isEqualTo(committed.size());
      if (!brokenAt.isEmpty()) {
        throw new IOException(brokenAt);
      }
    }

    @Override
    public long largestEntry() {
      return largest;
    }

    @Override
    public long largestAppend() {
      return largestAppend;
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public String toString() {
      return "script";
    }
  }

  @BeforeEach
  void open() throws IOException {
    engine = opened(OPTIONS);
  }

  private Engine opened(EngineOptions options) throws IOException {
    return Engine.open(log, options, tasks::add, world.clock(), world.uids());
  }

  private void turn() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private <V> Future<V> passed(Future<V> write) {
    turn();
    log.pass();
    turn();
    return write;
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  @Test
  void aWriteIsInvisibleUntilTheLogCommitsIt() {
    var write = engine.put(node("a"));
    turn();
    assertThat(write.isComplete()).isFalse();
    assertThat(engine.get(Node.KIND, "a")).isEmpty();
    assertThat(log.held).hasSize(1);
    log.pass();
    assertThat(engine.get(Node.KIND, "a")).contains(write.result());
    assertThat(write.result().meta().version()).isEqualTo(1);
    assertThat(log.applied).isEqualTo(1);
  }

  @Test
  void writesThatWaitForAnAppendAreAppendedTogether() {
    var first = engine.put(node("a"));
    turn();
    var second = engine.put(node("b"));
    var third = engine.put(node("c"));
    turn();
    assertThat(log.held).hasSize(1);
    log.pass();
    turn();
    assertThat(first.succeeded()).isTrue();
    assertThat(second.isComplete()).isFalse();
    assertThat(log.held).hasSize(2);
    log.pass();
    turn();
    assertThat(second.result().meta().version()).isEqualTo(2);
    assertThat(third.result().meta().version()).isEqualTo(3);
  }

  @Test
  void refusedAndUnchangedWritesCauseNoEntry() {
    var put = passed(engine.put(node("a"))).result();
    var same = engine.put(put);
    var twice = engine.put(node("a"));
    var none = engine.commit(List.of());
    turn();
    assertThat(log.held).isEmpty();
    assertThat(same.result()).isEqualTo(put);
    assertThat(twice.cause()).isInstanceOf(StoreException.Exists.class);
    assertThat(none.result()).isEmpty();
    assertThat(engine.revision()).isEqualTo(1);
  }

  @Test
  void anEqualSpecWithAnotherOrderOfFieldsCausesNoEntry() {
    var one = new LinkedHashMap<String, Object>(Map.of("a", 1L));
    one.put("b", 2L);
    var other = new LinkedHashMap<String, Object>(Map.of("b", 2L));
    other.put("a", 1L);
    var object = Objects.instance("x", "r", "n");
    var put = passed(engine.put(object.withSpec(with(one)))).result();
    var same = engine.put(put.withSpec(with(other)));
    turn();
    assertThat(log.held).isEmpty();
    assertThat(same.result()).isEqualTo(put);
    var next = put.withMeta(put.meta().withLabels(Map.of("k", "v"))).withSpec(with(other));
    assertThat(passed(engine.put(next)).result().meta().generation()).isEqualTo(1);
  }

  @Test
  void equalStatusWithAnotherOrderOfFieldsCausesNoEntry() {
    var running = RoleInstance.State.RUNNING;
    var one = new LinkedHashMap<String, RoleInstance.State>(Map.of("a", running));
    one.put("b", running);
    var other = new LinkedHashMap<String, RoleInstance.State>(Map.of("b", running));
    other.put("a", running);
    var share = Resource.of(NodeSchedule.KIND, "n", new NodeSchedule.Spec("00", Map.of()));
    var put = passed(engine.put(share)).result();
    var seen = passed(engine.putStatus(put.withStatus(states(one)))).result();
    var same = engine.putStatus(seen.withStatus(states(other)));
    turn();
    assertThat(log.held).isEmpty();
    assertThat(same.result()).isEqualTo(seen);
  }

  private static NodeSchedule.Status states(Map<String, RoleInstance.State> roles) {
    return new NodeSchedule.Status(1, Optional.empty(), roles, List.of());
  }

  private static RoleInstance.Spec with(Map<String, Object> variables) {
    return new RoleInstance.Spec("r", "n", "t", Optional.empty(), variables);
  }

  @Test
  void entriesOfOtherProcessesAreApplied() {
    var put = passed(engine.put(node("a"))).result();
    log.otherProcess(Objects.entry(new Write.Put(node("theirs"))));
    assertThat(engine.get(Node.KIND, "theirs")).isPresent();
    assertThat(engine.revision()).isEqualTo(2);
    assertThat(passed(engine.put(put.withSpec(new Node.Spec(true)))).result().meta().version())
        .isEqualTo(3);
  }

  @Test
  void anInterveningEntryCausesANewEvaluation() {
    var put = passed(engine.put(node("a"))).result();
    var mine = engine.put(put.withSpec(new Node.Spec(true)));
    var other = engine.put(node("b"));
    turn();
    assertThat(log.held).hasSize(2);
    log.otherProcess(Objects.entry(new Write.Remove(put)));
    log.pass();
    turn();
    assertThat(mine.cause()).isInstanceOf(StoreException.Missing.class);
    assertThat(other.result().meta().version()).isEqualTo(3);
    assertThat(engine.get(Node.KIND, "a")).isEmpty();
    assertThat(log.committed).hasSize(4);
  }

  @Test
  void anInterveningEpochFencesPendingWrites() {
    long epoch = passed(engine.beginEpoch(7)).result();
    assertThat(epoch).isEqualTo(7);
    var late = engine.commit(List.of(new Write.Put(node("a"))), Fence.epoch(7));
    turn();
    log.otherProcess(Entry.epoch(0, Objects.NOW));
    log.pass();
    turn();
    assertThat(late.cause())
        .isInstanceOf(StoreException.Fenced.class)
        .hasMessageContaining("epoch 7")
        .hasMessageContaining("epoch 8");
    assertThat(engine.get(Node.KIND, "a")).isEmpty();
    assertThat(engine.epoch()).isEqualTo(8);
    assertThat(engine.revision()).isEqualTo(Version.of(8, 0));
  }

  @Test
  void anOvertakenBatchIsDecidedAnew() {
    var put = passed(engine.put(node("a"))).result();
    var mine = engine.put(put.withSpec(new Node.Spec(true)));
    var other = engine.put(node("b"));
    turn();
    var receipt = log.take();
    var waiting = engine.put(node("c"));
    log.otherProcess(Objects.entry(new Write.Remove(put)));
    receipt.overtaken();
    turn();
    assertThat(log.held).hasSize(1);
    assertThat(mine.isComplete()).isFalse();
    log.pass();
    turn();
    assertThat(mine.cause()).isInstanceOf(StoreException.Missing.class);
    assertThat(other.result().meta().version()).isEqualTo(3);
    assertThat(engine.problem()).isEmpty();
    log.pass();
    turn();
    assertThat(waiting.result().meta().version()).isEqualTo(4);
    assertThat(log.committed).hasSize(4);
  }

  @Test
  void anOvertakenFencedWriteIsRefusedInTheNewEpoch() {
    long epoch = passed(engine.beginEpoch(7)).result();
    var late = engine.commit(List.of(new Write.Put(node("a"))), Fence.epoch(epoch));
    turn();
    var receipt = log.take();
    log.otherProcess(Entry.epoch(0, Objects.NOW));
    receipt.overtaken();
    turn();
    assertThat(late.cause()).isInstanceOf(StoreException.Fenced.class);
    assertThat(log.held).isEmpty();
  }

  @Test
  void anOvertakenWriteBringsValuesThatWereRemovedMeanwhile() {
    Map<String, Object> large = Map.of("list", Collections.nCopies(200, "value"));
    var first = passed(engine.put(Objects.instance("a", "r", "n").withSpec(with(large)))).result();
    var same = engine.put(Objects.instance("b", "r", "n").withSpec(with(large)));
    turn();
    var receipt = log.take();
    log.otherProcess(Objects.entry(new Write.Remove(first)));
    receipt.overtaken();
    assertThat(passed(same).result().spec()).isEqualTo(with(large));
  }

  @Test
  void anUnansweredBatchFailsAndLaterWritesFailAtOnce() {
    var mine = engine.put(node("a"));
    turn();
    var waiting = engine.put(node("b"));
    log.receipt.unanswered("there is no majority");
    assertThat(mine.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("no majority")
        .hasMessageContaining("unknown");
    assertThat(waiting.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("no majority")
        .hasMessageContaining("nothing was written");
    var later = engine.put(node("c"));
    assertThat(later.cause()).hasMessageContaining("no majority");
    assertThat(engine.problem().orElseThrow()).contains("no majority");
    log.pass();
    turn();
    assertThat(engine.problem()).isEmpty();
    assertThat(engine.get(Node.KIND, "a")).isPresent();
    assertThat(engine.get(Node.KIND, "b")).isEmpty();
    assertThat(passed(engine.put(node("c"))).succeeded()).isTrue();
  }

  @Test
  void anUnansweredBatchIsNotDecidedAnew() {
    var mine = engine.put(node("a"));
    turn();
    var receipt = log.take();
    receipt.unanswered("there is no majority");
    log.otherProcess(Objects.entry(new Write.Put(node("theirs"))));
    receipt.overtaken();
    turn();
    assertThat(mine.cause()).isInstanceOf(StoreException.Unavailable.class);
    assertThat(log.held).isEmpty();
    assertThat(engine.problem()).isEmpty();
    assertThat(passed(engine.put(node("b"))).succeeded()).isTrue();
  }

  @Test
  void transactionsThatExceedAnAppendGoIntoTheNext() {
    passed(engine.put(node("a")));
    log.largestAppend = 2 * log.committed.get(0).size();
    var writes = List.of(node("b"), node("c"), node("d"), node("e"), node("f"));
    var results = writes.stream().map(engine::put).toList();
    for (int size : List.of(2, 2, 1)) {
      turn();
      assertThat(log.held).hasSize(size);
      log.pass();
    }
    turn();
    assertThat(results).allMatch(Future::succeeded);
    assertThat(engine.list(Node.KIND)).hasSize(6);
  }

  @Test
  void aNewerStateReplacesThePresentOne() throws IOException {
    passed(engine.put(node("a")));
    var other = new LogReplay(HistoryLimit.DEFAULT);
    for (int i = 1; i <= 3; i++) {
      other.entry(i, Objects.entry(new Write.Put(node("n" + i))));
    }
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    engine.watch(Node.KIND, world.loop("w"), received::add);
    world.runFor(Duration.ofSeconds(1));
    var late = engine.put(node("b"));
    turn();
    var receipt = log.take();
    log.committed.clear();
    log.committed.addAll(Collections.nCopies(3, Entry.epoch(0, Objects.NOW)));
    log.follower.replaced(reader -> copy(other.state(), reader));
    assertThat(engine.list(Node.KIND)).hasSize(3);
    assertThat(engine.revision()).isEqualTo(3);
    receipt.overtaken();
    assertThat(passed(late).result().meta().version()).isEqualTo(4);
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).hasSize(3);
    assertThat(((Change.Ended<?, ?>) received.get(2)).reason())
        .isInstanceOf(StoreException.TooOld.class);
    assertThatThrownBy(() -> log.follower.replaced(reader -> copy(other.state(), reader)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entry 3");
    assertThat(engine.revision()).isEqualTo(4);
  }

  private static void copy(State state, Log.Reader reader) throws IOException {
    reader.begin(state.index(), state.version());
    new Snapshot(state).write(block -> reader.block(Objects.copy(block)));
    reader.complete();
  }

  @Test
  void anEndedLogEndsTheStore() {
    log.follower.ended("the log has lost entries");
    assertThat(engine.problem().orElseThrow()).contains("the log has lost entries");
    assertThat(engine.put(node("a")).cause()).hasMessageContaining("the log has lost entries");
  }

  @Test
  void laterWritesMaySucceedAfterNothingWasWritten() {
    var failed = engine.put(node("a"));
    turn();
    log.take().nothingWritten("the disk is full");
    turn();
    assertThat(failed.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessage("the disk is full");
    assertThat(engine.problem().orElseThrow()).contains("later writes may succeed");
    assertThat(engine.get(Node.KIND, "a")).isEmpty();
    var next = passed(engine.put(node("a"))).result();
    assertThat(next.meta().version()).isEqualTo(1);
    assertThat(engine.problem()).isEmpty();
  }

  @Test
  void changesOfTheProblemAreReported() {
    var reported = new ArrayList<Optional<String>>();
    var watch = engine.onProblem(() -> reported.add(engine.problem()));
    for (int i = 0; i < 2; i++) {
      engine.put(node("a"));
      turn();
      log.take().nothingWritten("the disk is full");
      turn();
    }
    passed(engine.put(node("a")));
    passed(engine.put(node("b")));
    engine.put(node("c"));
    turn();
    log.take().unknown("the disk broke");
    assertThat(reported).hasSize(3);
    assertThat(reported.get(0).orElseThrow()).contains("the disk is full");
    assertThat(reported.get(1)).isEmpty();
    assertThat(reported.get(2).orElseThrow()).contains("the disk broke");
    watch.close();
    engine.close();
    assertThat(reported).hasSize(3);
  }

  @Test
  void noWriteIsAcceptedAfterAnUnknownResult() {
    var failed = engine.put(node("a"));
    turn();
    var waiting = engine.put(node("b"));
    log.take().unknown("the disk broke");
    turn();
    assertThat(failed.cause()).hasMessageContaining("the disk broke").hasMessageContaining("again");
    assertThat(waiting.cause()).isInstanceOf(StoreException.Unavailable.class);
    assertThat(engine.put(node("c")).cause()).isInstanceOf(StoreException.Unavailable.class);
    assertThat(engine.problem().orElseThrow()).contains("the disk broke");
    assertThat(log.held).isEmpty();
  }

  @Test
  void aLogThatCannotContinueEndsTheStore() {
    log.brokenAt = "no new file";
    assertThat(passed(engine.put(node("a"))).succeeded()).isTrue();
    assertThat(engine.put(node("b")).cause()).hasMessageContaining("no new file");
  }

  @Test
  void aTransactionLargerThanTheLogAllowsIsRefused() {
    log.largest = 1000;
    var annotated = node("a");
    var large = annotated.meta().withAnnotations(Map.of("k", "x".repeat(1000)));
    var refused = engine.put(annotated.withMeta(large));
    turn();
    assertThat(refused.cause())
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("more than the limit of 1000");
    assertThat(passed(engine.put(node("b"))).succeeded()).isTrue();
  }

  @Test
  void aClosedStoreRefusesWritesAndAllowsReads() {
    var put = passed(engine.put(node("a"))).result();
    var late = engine.put(node("b"));
    engine.close();
    engine.close();
    assertThat(log.closed).isTrue();
    assertThat(engine.get(Node.KIND, "a")).contains(put);
    assertThat(engine.put(node("c")).cause()).hasMessageContaining("closed");
    assertThat(late.isComplete() || !log.held.isEmpty()).isTrue();
  }

  @Test
  void anotherEngineReadsTheSameLog() throws IOException {
    var put = passed(engine.put(node("a"))).result();
    put = passed(engine.put(put.withSpec(new Node.Spec(true)))).result();
    var next = Engine.open(log, OPTIONS, tasks::add, world.clock(), world.uids());
    assertThat(next.get(Node.KIND, "a")).contains(put);
    assertThat(next.revision()).isEqualTo(engine.revision());
    assertThat(next.snapshot().index()).isEqualTo(2);
    next.decodeAll();
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    next.watch(Node.KIND, OptionalLong.of(1), world.loop("w"), received::add);
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).containsExactly(new Change.Put<>(put, false));
  }

  @Test
  void anEntryOutOfOrderIsRefused() {
    assertThatThrownBy(() -> log.follower.committed(5, List.of(), false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("entry 5 follows 0");
  }

  @Test
  void figuresDescribeTheContents() throws IOException {
    engine = opened(new EngineOptions(new HistoryLimit(10, 1000), 100_000));
    var empty = engine.figures();
    assertThat(empty.objects()).isZero();
    assertThat(empty.bytes()).isZero();
    assertThat(empty.limit()).isEqualTo(101_000);
    var put = passed(engine.put(node("a"))).result();
    passed(engine.put(put.withSpec(new Node.Spec(true))));
    var full = engine.figures();
    assertThat(full.objects()).isEqualTo(1);
    assertThat(full.historyBytes()).isPositive();
    assertThat(full.bytes()).isGreaterThan(full.historyBytes());
    assertThat(full.revision()).isEqualTo(2);
    assertThat(full.epoch()).isZero();
    passed(engine.beginEpoch(3));
    assertThat(engine.figures().epoch()).isEqualTo(3);
    passed(engine.remove(node("a")));
    var after = engine.figures();
    assertThat(after.objects()).isZero();
    assertThat(after.bytes()).isEqualTo(after.historyBytes());
  }

  @Test
  void versionsOfAnotherHistoryAreTooOldOrConflict() {
    var put = passed(engine.put(node("a"))).result();
    passed(engine.beginEpoch(9));
    var page = engine.list(Node.KIND, Query.ALL);
    for (long never : new long[] {2, Version.of(5, 1), Version.of(10, 0)}) {
      var received = new ArrayList<Change<Node.Spec, Node.Status>>();
      engine.watch(Node.KIND, OptionalLong.of(never), world.loop("w" + never), received::add);
      world.runFor(Duration.ofSeconds(1));
      assertThat(received).hasSize(1).first().isInstanceOf(Change.Ended.class);
      assertThatThrownBy(() -> engine.list(Node.KIND, Query.ALL.limit(1).continuing(never + ".a")))
          .isInstanceOf(StoreException.TooOld.class);
      var write = engine.put(put.withMeta(put.meta().withVersion(never)));
      var status = engine.putStatus(put.withMeta(put.meta().withVersion(never)));
      turn();
      assertThat(write.cause()).isInstanceOf(StoreException.Conflict.class);
      assertThat(status.cause()).isInstanceOf(StoreException.Conflict.class);
    }
    for (long known : new long[] {0, 1, Version.of(9, 0)}) {
      var received = new ArrayList<Change<Node.Spec, Node.Status>>();
      engine.watch(Node.KIND, OptionalLong.of(known), world.loop("k" + known), received::add);
      world.runFor(Duration.ofSeconds(1));
      assertThat(received).noneMatch(Change.Ended.class::isInstance);
    }
    assertThat(page.revision()).isEqualTo(Version.of(9, 0));
  }

  @Test
  void anOverflowingRevisionContinuesInTheNextEpoch() {
    var state = State.EMPTY.at(0, Version.of(4, 0xFFFF_FFFFL));
    var outcome = Transaction.apply(state, Objects.entry(new Write.Put(node("a"))));
    assertThat(outcome.state().version()).isEqualTo(Version.of(5, 0));
  }

  @Test
  void listsAndWatchesOfASelectionReadNoOtherObjects() {
    var writes = new ArrayList<Write>();
    for (int i = 0; i < 200; i++) {
      writes.add(
          new Write.Put(Objects.instance("r" + i + "@n" + i % 50, "r" + i % 20, "n" + i % 50)));
    }
    passed(engine.commit(writes));
    long before = engine.figures().visited();
    assertThat(engine.list(RoleInstance.KIND, new Selection.Node("n7"))).hasSize(4);
    assertThat(engine.list(RoleInstance.KIND, new Selection.Role("r7"))).hasSize(10);
    assertThat(engine.figures().visited()).isEqualTo(before + 14);

    var received = new ArrayList<Change<RoleInstance.Spec, RoleInstance.Status>>();
    engine.watch(
        RoleInstance.KIND,
        new Selection.Node("n7"),
        OptionalLong.empty(),
        world.loop("w"),
        received::add);
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).hasSize(5);
    before = engine.figures().visited();
    long steps = world.steps();
    for (var each : engine.list(RoleInstance.KIND, new Selection.Node("n8"))) {
      passed(engine.putStatus(each.withStatus(Objects.status("seen"))));
    }
    world.runFor(Duration.ofSeconds(1));
    assertThat(engine.figures().visited()).isEqualTo(before + 4); // those that were listed
    assertThat(world.steps()).as("no watcher was woken").isEqualTo(steps);
    var mine = engine.get(RoleInstance.KIND, "r7@n7").orElseThrow();
    passed(engine.putStatus(mine.withStatus(Objects.status("seen"))));
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).hasSize(6);
    assertThat(engine.figures().visited()).isEqualTo(before + 5);
  }

  @Test
  void aStoreWithoutAThreadTakesNothing() throws IOException {
    engine =
        Engine.open(
            log,
            OPTIONS,
            task -> {
              throw new RejectedExecutionException("down");
            },
            world.clock(),
            world.uids());
    var first = engine.put(node("a"));
    assertThat(first.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("no thread");
    assertThat(engine.put(node("b")).cause()).isInstanceOf(StoreException.Unavailable.class);
    assertThat(log.held).isEmpty();
  }

  @Test
  void aBugOfTheLogEndsTheStore() {
    log.bug = "a bug of the log";
    var failed = engine.put(node("a"));
    turn();
    assertThat(failed.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("a bug of the log");
    assertThat(engine.problem().orElseThrow()).contains("a bug of the log");
    log.bug = "";
    assertThat(engine.put(node("b")).cause()).isInstanceOf(StoreException.Unavailable.class);
    assertThat(log.held).isEmpty();
  }

  private Resource<Node.Spec, Node.Status> noted(
      Resource<Node.Spec, Node.Status> node, int letters) {
    return node.withMeta(node.meta().withAnnotations(Map.of("k", "x".repeat(letters))));
  }

  @Test
  void aFullStoreRefusesWhatMakesItLargerAndTakesWhatMakesItSmaller() throws IOException {
    engine = opened(new EngineOptions(HistoryLimit.DEFAULT, 5_000));
    var put = passed(engine.put(noted(node("a"), 2_000))).result();
    var full = engine.put(noted(node("b"), 10_000));
    turn();
    assertThat(full.cause()).isInstanceOf(StoreException.Full.class);
    assertThat(log.held).isEmpty();

    // The same log under a smaller limit: the store has more than it may have.
    engine = opened(new EngineOptions(HistoryLimit.DEFAULT, 1_000));
    var larger = engine.put(noted(put, 2_001));
    turn();
    assertThat(larger.cause()).isInstanceOf(StoreException.Full.class);
    var same = passed(engine.put(noted(put, 2_000).withSpec(new Node.Spec(true)))).result();
    assertThat(same.spec().cordoned()).isTrue();
    assertThat(passed(engine.put(noted(same, 1_999))).succeeded()).isTrue();
    assertThat(passed(engine.remove(node("a"))).succeeded()).isTrue();
  }

  @Test
  void theLargestEntryIsTaken() {
    passed(engine.put(node("a")));
    log.largest = log.committed.get(0).size();
    assertThat(passed(engine.put(node("b"))).succeeded()).isTrue();
    log.largest--;
    var refused = engine.put(node("c"));
    turn();
    assertThat(refused.cause()).isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void aStoreIsClosedFromAnotherThread() throws InterruptedException {
    passed(engine.put(node("a")));
    for (int i = 0; i < 2; i++) {
      var thread = new Thread(engine::close, "closer");
      thread.start();
      thread.join();
    }
    assertThat(log.closed).isTrue();
  }

  @Test
  void closingWritesWhatWaits() {
    log.immediate = true;
    var first = engine.put(node("a"));
    var second = engine.put(node("b"));
    engine.close();
    assertThat(first.succeeded()).isTrue();
    assertThat(second.succeeded()).isTrue();
    assertThat(log.committed).hasSize(2);
  }

  @Test
  void whatCannotBeWrittenAnyMoreAtTheEndIsRefused() {
    var first = engine.put(node("a"));
    turn();
    var second = engine.put(node("b"));
    engine.close();
    assertThat(first.isComplete()).isFalse();
    assertThat(second.cause())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("closed");
  }

  @Test
  void theReasonWhyAStoreEndedStaysWhenItIsClosed() {
    engine.put(node("a"));
    turn();
    log.take().unknown("the disk broke");
    turn();
    engine.close();
    assertThat(engine.problem().orElseThrow()).contains("the disk broke");
  }

  @Test
  void aClosedStoreIsSilent() {
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    engine.watch(Node.KIND, world.loop("w"), received::add);
    world.runFor(Duration.ofSeconds(1));
    received.clear();
    passed(engine.put(node("a")));
    engine.close();
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).isEmpty();
  }

  @Test
  void theErrorOfATooLargeObjectSaysBothSizes() {
    var refused = engine.put(noted(node("a"), 2_000_000));
    turn();
    assertThat(refused.cause())
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("2000")
        .hasMessageContaining("1500000");
  }

  @Test
  void aStatusMayBeWrittenTogetherWithTheSpecItFollows() {
    var put = passed(engine.put(Objects.instance("a", "r", "n"))).result();
    var changed = put.withSpec(with(Map.of("b", 2L))).withStatus(Objects.status("seen"));
    var both = passed(engine.commit(List.of(new Write.Put(changed), new Write.PutStatus(changed))));
    assertThat(both.result()).hasSize(2);
    var now = engine.get(RoleInstance.KIND, "a").orElseThrow();
    assertThat(now.spec()).isEqualTo(changed.spec());
    assertThat(now.status()).isEqualTo(changed.status());
  }

  @Test
  void equalStatusCausesNoEntry() {
    var put = passed(engine.put(Objects.instance("a", "r", "n"))).result();
    var seen = passed(engine.putStatus(put.withStatus(Objects.status("seen")))).result();
    var again = engine.putStatus(seen);
    turn();
    assertThat(log.held).isEmpty();
    assertThat(again.result()).isEqualTo(seen);
  }

  @Test
  void theLargestEpochCanBegin() {
    assertThat(passed(engine.beginEpoch(Version.LARGEST_EPOCH)).result())
        .isEqualTo(Version.LARGEST_EPOCH);
    var beyond = engine.beginEpoch(0);
    turn();
    assertThat(beyond.cause()).isInstanceOf(StoreException.Fenced.class);
  }

  @Test
  void closingWritesEveryBatch() {
    log.immediate = true;
    var all = new ArrayList<Future<?>>();
    for (int i = 0; i < 600; i++) { // more than a batch has
      all.add(engine.put(node("n" + i)));
    }
    engine.close();
    assertThat(all).allMatch(Future::succeeded);
    assertThat(log.committed).hasSize(600);
  }

  @Test
  void aStatusIsCleared() {
    var put = passed(engine.put(Objects.instance("a", "r", "n"))).result();
    var seen = passed(engine.putStatus(put.withStatus(Objects.status("seen")))).result();
    var bare = new Resource<>(seen.type(), seen.meta(), seen.spec(), Optional.empty());
    assertThat(passed(engine.putStatus(bare)).result().status()).isEmpty();
    assertThat(engine.get(RoleInstance.KIND, "a").orElseThrow().status()).isEmpty();
  }

  @Test
  void storeMayHoldExactlyItsLimit() throws IOException {
    passed(engine.put(node("a")));
    long size = engine.figures().bytes() - engine.figures().historyBytes();
    passed(engine.remove(node("a")));
    for (long limit : new long[] {size, size - 1}) {
      engine = opened(new EngineOptions(HistoryLimit.DEFAULT, limit));
      var put = engine.put(node("a"));
      turn();
      assertThat(log.held).hasSize(limit < size ? 0 : 1);
      assertThat(put.failed()).isEqualTo(limit < size);
      if (limit == size) {
        log.pass();
        turn();
        passed(engine.remove(node("a")));
      }
    }
  }

  @Test
  void kindThatIsNotKnownIsRefused() {
    var known = Node.KIND;
    var other =
        new Kind<>(
            "Other", "others", "o", known.spec(), known.status(), known.scope(), known.writers());
    var refused = engine.put(Resource.of(other, "a", new Node.Spec(false)));
    turn();
    assertThat(refused.cause())
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("Other is not a kind");
  }
}
