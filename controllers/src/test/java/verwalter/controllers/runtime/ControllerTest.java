package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.engine.MemoryStore;

/**
 * Tests each promise of {@link Controller} separately, since retries of a whole system would hide
 * errors.
 */
class ControllerTest {
  private static final ResourceKey KEY = new ResourceKey("Note", "a");
  private static final Duration A_WHILE = Duration.ofSeconds(100);

  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("controller");
  private final List<Long> runs = new ArrayList<>();
  private Consumer<ResourceKey> keys = key -> {};
  private Optional<Controller> started = Optional.empty();
  private Duration coalescing = Duration.ZERO;

  /** Starts a controller that records the second of each run. */
  private Controller start(int concurrency, Reconciler reconciler) {
    var began = world.now();
    var builder =
        Controller.named(
                "test",
                key -> {
                  runs.add(Duration.between(began, world.now()).toSeconds());
                  return reconciler.reconcile(key);
                })
            .from(
                (on, report) -> {
                  keys = report;
                  return () -> {};
                })
            .retrying(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(60)))
            .coalescing(coalescing)
            .concurrency(concurrency);
    loop.execute(() -> started = Optional.of(builder.startOn(loop)));
    world.runFor(Duration.ZERO);
    return started.orElseThrow();
  }

  private void name(ResourceKey key) {
    loop.execute(() -> keys.accept(key));
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void reconcilerIsUsedThroughItsWrapping() {
    var seen = new ArrayList<String>();
    Reconciler reconciler =
        key -> {
          seen.add("reconciler " + key);
          return Result.done();
        };
    var builder =
        Controller.named("test", reconciler)
            .from(
                (on, report) -> {
                  keys = report;
                  return () -> {};
                })
            .wrapped(
                (name, inner) ->
                    key -> {
                      seen.add("wrapping of " + name);
                      return inner.reconcile(key);
                    })
            .retrying(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(60)));
    loop.execute(() -> builder.startOn(loop));
    world.runFor(Duration.ZERO);
    name(KEY);
    assertThat(seen).containsExactly("wrapping of test", "reconciler " + KEY);
  }

  /** Promise 1. */
  @Test
  void aKeyIsNotReconciledConcurrently() {
    var slow = Promise.<Result>promise();
    start(5, key -> slow.future());

    name(KEY);
    name(KEY);
    assertThat(runs).hasSize(1);

    slow.complete(Result.DONE);
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(2);
  }

  /** Promise 1. */
  @Test
  void concurrencyLimitsTheKeysInProgress() {
    var slow = new ArrayList<Promise<Result>>();
    start(
        2,
        key -> {
          var promise = Promise.<Result>promise();
          slow.add(promise);
          return promise.future();
        });
    for (int i = 0; i < 5; i++) {
      name(new ResourceKey("Note", "n" + i));
    }
    assertThat(slow).hasSize(2);

    slow.get(0).complete(Result.DONE);
    world.runFor(A_WHILE);
    assertThat(slow).hasSize(3);
  }

  /** Promise 2. */
  @Test
  void aBurstCausesOneReconcile() {
    start(1, key -> Result.done());
    loop.execute(
        () -> {
          for (int i = 0; i < 100; i++) {
            keys.accept(KEY);
          }
        });
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(1);
  }

  /** Promise 2. */
  @Test
  void aBurstDuringARunCausesOneMoreRun() {
    var slow = new ArrayList<Promise<Result>>();
    start(
        1,
        key -> {
          var promise = Promise.<Result>promise();
          slow.add(promise);
          return promise.future();
        });
    for (int i = 0; i < 10; i++) {
      name(KEY);
    }
    slow.get(0).complete(Result.DONE);
    world.runFor(A_WHILE);
    slow.get(1).complete(Result.DONE);
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(2);
  }

  /** Promise 3. */
  @Test
  void failuresBackOffAndASuccessResetsTheCount() {
    var outcomes = new ArrayList<>(List.of(false, false, false, true, false, true));
    start(1, key -> outcomes.remove(0) ? Result.done() : Future.failedFuture("no"));

    name(KEY);
    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(0L, 1L, 3L, 7L);

    runs.clear();
    name(KEY);
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(2);
    assertThat(runs.get(1) - runs.get(0)).isEqualTo(1);
  }

  /** Promise 3. */
  @Test
  void aKeyNamedMeanwhileDoesNotWaitForItsBackoff() {
    var outcomes = new ArrayList<>(List.of(false, false, false, false, true));
    start(1, key -> outcomes.remove(0) ? Result.done() : Future.failedFuture("no"));

    name(KEY);
    world.runFor(Duration.ofSeconds(7));
    assertThat(runs).containsExactly(0L, 1L, 3L, 7L);
    name(KEY);
    assertThat(runs).hasSize(5);
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(5);
  }

  /** Promise 4. */
  @Test
  void aReconcilerThatThrowsIsRetriedLikeAFailure() {
    var outcomes = new ArrayList<>(List.of(false, true));
    var controller =
        start(
            1,
            key -> {
              if (!outcomes.remove(0)) {
                throw new IllegalStateException("a bug");
              }
              return Result.done();
            });
    name(KEY);
    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(0L, 1L);
    assertThat(controller.counters().snapshot().failures()).isEqualTo(1);
  }

  /** Promise 5. */
  @Test
  void aConflictIsNotAFailure() {
    var outcomes = new ArrayList<>(List.of(false, false, true));
    var controller =
        start(
            1,
            key ->
                outcomes.remove(0)
                    ? Result.done()
                    : Future.failedFuture(new StoreException.Conflict(key, 1, 2)));
    name(KEY);
    assertThat(runs).containsExactly(0L, 0L, 0L);
    assertThat(controller.counters().snapshot().failures()).isZero();
    assertThat(controller.counters().snapshot().conflicts()).isEqualTo(2);
  }

  /** Promise 6. */
  @Test
  void afterCloseNothingStarts() {
    var controller = start(1, key -> Result.done());
    loop.execute(controller::close);
    name(KEY);
    assertThat(runs).isEmpty();
  }

  @Test
  void aResultMayRequestAnotherRun() {
    var left = new int[] {2};
    start(
        1,
        key ->
            left[0]-- > 0
                ? Future.succeededFuture(Result.again(Duration.ofSeconds(5)))
                : Result.done());
    name(KEY);
    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(0L, 5L, 10L);
  }

  @Test
  void countersCountRunsAndTheirLatency() {
    var slow = Promise.<Result>promise();
    var controller = start(1, key -> slow.future());
    name(KEY);
    slow.complete(Result.DONE);
    world.runFor(Duration.ofSeconds(1));

    var counters = controller.counters().snapshot();
    assertThat(counters.reconciles()).isEqualTo(1);
    assertThat(counters.latency().sumMillis()).isEqualTo(1000);
    assertThat(counters.latency().counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
    assertThat(counters.depth()).isZero();
    assertThat(counters.busy()).isZero();
  }

  /** Promise 7. */
  @Test
  void keysNamedWithinTheWindowCauseOneRunAtItsEnd() {
    coalescing = Duration.ofSeconds(5);
    start(1, key -> Result.done());
    name(KEY); // each call takes a second
    name(KEY);
    name(KEY);
    assertThat(runs).isEmpty();

    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(5L);
  }

  /** Promise 7. */
  @Test
  void aKeyNamedWhileItRunsWaitsForAnotherWindow() {
    coalescing = Duration.ofSeconds(5);
    var slow = Promise.<Result>promise();
    start(1, key -> slow.future());
    name(KEY);
    world.runFor(Duration.ofSeconds(9));
    name(KEY);
    slow.complete(Result.DONE); // in second 11
    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(5L, 16L);
  }

  /** Promise 7. */
  @Test
  void coalescingDoesNotProlongAShorterWait() {
    coalescing = Duration.ofSeconds(50);
    start(1, key -> Future.succeededFuture(Result.again(Duration.ofSeconds(10))));
    name(KEY);
    world.runFor(Duration.ofSeconds(52)); // ran at 50, again at 60
    name(KEY);
    world.runFor(Duration.ofSeconds(10));
    assertThat(runs).containsExactly(50L, 60L);
  }

  /** Promise 7. */
  @Test
  void onlyKeysOfAGatheredSourceWait() {
    var began = world.now();
    var gathered = new ArrayList<Consumer<ResourceKey>>();
    var builder =
        Controller.named(
                "test",
                key -> {
                  runs.add(Duration.between(began, world.now()).toSeconds());
                  return Result.done();
                })
            .from(
                (on, report) -> {
                  keys = report;
                  return () -> {};
                })
            .gathering(
                Duration.ofSeconds(5),
                (on, report) -> {
                  gathered.add(report);
                  return () -> {};
                });
    loop.execute(() -> builder.startOn(loop));
    world.runFor(Duration.ZERO);
    for (int i = 0; i < 3; i++) { // in the seconds 0, 1 and 2
      loop.execute(() -> gathered.get(0).accept(KEY));
      world.runFor(Duration.ofSeconds(1));
    }
    assertThat(runs).isEmpty();
    name(KEY); // in second 3
    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(3L);
  }

  /** Promise 6. */
  @Test
  void whatWaitsWhenAControllerIsClosedNeverRuns() {
    var slow = Promise.<Result>promise();
    var controller = start(1, key -> slow.future());
    name(KEY);
    name(new ResourceKey("Note", "b"));
    name(KEY);
    loop.execute(controller::close);
    slow.complete(Result.again(Duration.ofSeconds(1)));
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(1);
  }

  /** Promise 6. */
  @Test
  void aFailureAfterCloseIsNotRetried() {
    var slow = Promise.<Result>promise();
    var controller = start(1, key -> slow.future());
    name(KEY);
    loop.execute(controller::close);
    slow.fail("no");
    world.runFor(A_WHILE);
    assertThat(runs).hasSize(1);
    assertThat(controller.counters().snapshot().failures()).isZero();
    assertThat(controller.counters().snapshot().reconciles()).isEqualTo(1);
  }

  /** Promise 6. */
  @Test
  void closingClosesTheSources() {
    var closed = new ArrayList<String>();
    var builder =
        Controller.named("test", key -> Result.done())
            .from((on, report) -> () -> closed.add("a"))
            .from((on, report) -> () -> closed.add("b"));
    loop.execute(() -> builder.startOn(loop).close());
    world.runFor(A_WHILE);
    assertThat(closed).containsExactly("a", "b");
  }

  /** Promise 6. */
  @Test
  void anIdleControllerStopsAtOnce() {
    var controller = start(1, key -> Result.done());
    name(KEY);
    var stopped = controller.stop();
    assertThat(stopped.succeeded()).isTrue();
    name(KEY);
    assertThat(runs).hasSize(1);
  }

  /** Promise 6. */
  @Test
  void aControllerHasStoppedWhenItsLastRunHasEnded() {
    var slow = new ArrayList<Promise<Result>>();
    var controller =
        start(
            2,
            key -> {
              var promise = Promise.<Result>promise();
              slow.add(promise);
              return promise.future();
            });
    name(KEY);
    name(new ResourceKey("Note", "b"));
    var stopped = controller.stop();
    world.runFor(A_WHILE);
    assertThat(stopped.isComplete()).isFalse();

    slow.get(0).complete(Result.DONE);
    world.runFor(A_WHILE);
    assertThat(stopped.isComplete()).isFalse();
    slow.get(1).fail("no");
    world.runFor(A_WHILE);
    assertThat(stopped.succeeded()).isTrue();
  }

  @Test
  void aRunThatEndsDoesNotStopTheController() {
    var controller = start(1, key -> Result.done());
    name(KEY);
    name(KEY);
    assertThat(runs).hasSize(2);
    var slow = Promise.<Result>promise();
    loop.execute(controller::close);
    slow.complete(Result.DONE);
    world.runFor(A_WHILE);
    assertThat(controller.stop().succeeded()).isTrue();
  }

  @Test
  void countersShowWhatWaitsAndWhatRuns() {
    var slow = Promise.<Result>promise();
    var controller = start(2, key -> slow.future());
    for (int i = 0; i < 5; i++) {
      name(new ResourceKey("Note", "n" + i));
    }
    var counters = controller.counters().snapshot();
    assertThat(counters.controller()).isEqualTo("test");
    assertThat(counters.depth()).isEqualTo(3);
    assertThat(counters.busy()).isEqualTo(2);
  }

  /** Promise 5. */
  @Test
  void everyLostRaceIsAConflictAndForgetsNoFailure() {
    var outcomes =
        new ArrayList<Throwable>(
            List.of(
                new StoreException.Exists(KEY),
                new StoreException.Missing(KEY),
                new StoreException.Conflict(KEY, 1, 2)));
    var controller =
        start(
            1, key -> outcomes.isEmpty() ? Result.done() : Future.failedFuture(outcomes.remove(0)));
    name(KEY);
    assertThat(runs).hasSize(4);
    assertThat(controller.counters().snapshot().conflicts()).isEqualTo(3);
    assertThat(controller.counters().snapshot().failures()).isZero();
  }

  /** Promise 3. */
  @Test
  void failuresAreCountedForEachKey() {
    var other = new ResourceKey("Note", "b");
    var failing = new ArrayList<>(List.of(KEY, KEY, KEY, other));
    start(1, key -> failing.remove(key) ? Future.failedFuture("no") : Result.done());
    name(KEY);
    world.runFor(Duration.ofSeconds(2)); // failed in seconds 0, 1 and 3
    name(other); // fails in second 3
    world.runFor(A_WHILE);
    assertThat(runs).containsExactly(0L, 1L, 3L, 3L, 4L, 7L);
  }

  @Test
  void oneKeyIsReconciledAtATimeByDefault() {
    var slow = Promise.<Result>promise();
    var builder =
        Controller.named(
                "test",
                key -> {
                  runs.add(0L);
                  return slow.future();
                })
            .from(
                (on, report) -> {
                  keys = report;
                  return () -> {};
                });
    loop.execute(() -> builder.startOn(loop));
    name(KEY);
    name(new ResourceKey("Note", "b"));
    assertThat(runs).hasSize(1);
  }

  @Test
  void objectsOfAKindAndOfASelectionAreKeys() {
    var store = new MemoryStore(world.clock(), world.uids());
    var named = new TreeSet<String>();
    var builder =
        Controller.named(
                "test",
                key -> {
                  named.add(key.kind() + " " + key.name());
                  return Result.done();
                })
            .watching(store, Node.KIND, new Selection.Node("n1"))
            .watching(store, Event.KIND)
            .watching(store, Node.KIND, node -> Stream.of(new ResourceKey("Each", node.name())))
            .watching(
                store,
                Node.KIND,
                new Selection.Node("n2"),
                node -> Stream.of(new ResourceKey("Chosen", node.name())))
            .concurrency(2);
    loop.execute(() -> builder.startOn(loop));
    for (var name : List.of("n1", "n2", "n3")) {
      world.await(store.put(Resource.of(Node.KIND, name, new Node.Spec(false))));
    }
    world.runFor(A_WHILE);

    assertThat(named).containsExactly("Chosen n2", "Each n1", "Each n2", "Each n3", "Node n1");
  }

  /** Promise 6. */
  @Test
  void aClosedControllerHasNoTimers() {
    var controller = start(1, key -> Future.failedFuture("no"));
    name(KEY);
    loop.execute(controller::close);
    world.runFor(Duration.ofMillis(1));
    world.always(() -> assertThat(world.isOn(loop)).isFalse());
    world.runFor(A_WHILE);
    assertThat(runs).isNotEmpty();
  }
}
