package verwalter.concurrent.testkit;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;

/**
 * Runs many loops in one thread, with virtual time and a seed.
 *
 * <p>Time passes only when no task is due. Each loop keeps the order of its tasks; the seed
 * determines which loop runs next. After every step the invariants run, and the step is added to
 * the {@link #trace}, so that two runs with the same seed can be compared. A step takes O(log n)
 * time for n pending tasks.
 *
 * <p>Tasks may be added from any thread; they run on the thread of the test. A task or an invariant
 * that throws ends the run with an {@link AssertionError} that names the seed, the step, the time
 * and the loop.
 */
public final class VirtualWorld {
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MOST_STEPS_AT_ONE_TIME = 2_000_000;
  private static final Duration WAIT_LIMIT = Duration.ofMinutes(10);

  private final long seed;
  private final SplittableRandom random;
  private final SplittableRandom order;
  private final Agenda agenda = new Agenda(BEGINNING.toEpochMilli());
  private final List<Runnable> invariants = new ArrayList<>();
  private @Nullable Lane current;
  private long steps;
  private int stepsAtThisTime;
  private long trace = 1;

  /** Creates a world. The same seed and the same tasks give the same run. */
  public VirtualWorld(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.order = random.split();
  }

  /** Creates a loop. The name is used in messages and in the trace only. */
  public Loop loop(String name) {
    return new VirtualLoop(this, new Lane(name));
  }

  /**
   * Ends a loop like a crash: its pending tasks and all later tasks do not run. The futures of its
   * offloaded work never complete.
   */
  public void kill(Loop loop) {
    agenda.kill(virtual(loop).lane());
  }

  /** Whether the present task runs on {@code loop}. */
  public boolean isOn(Loop loop) {
    return current == virtual(loop).lane();
  }

  /** Random numbers from the seed. Using them does not change the order of loops. */
  public RandomGenerator random() {
    return random;
  }

  /** The virtual time, to the millisecond. */
  public Instant now() {
    return Instant.ofEpochMilli(agenda.now());
  }

  /** The virtual time as a clock. */
  public InstantSource clock() {
    return this::now;
  }

  /** Unique strings in the form of UUIDs, from the seed. */
  public Supplier<String> uids() {
    return () -> new UUID(random.nextLong(), random.nextLong()).toString();
  }

  /** The number of tasks that have run. */
  public long steps() {
    return steps;
  }

  /** A hash of all steps and observations, which is equal for equal runs. */
  public long trace() {
    return trace;
  }

  /** Adds an observation to the trace. Its {@code toString} must not depend on identity. */
  public void observe(Object fact) {
    fold(agenda.now());
    fold(fact.toString().hashCode());
  }

  /** Runs {@code invariant} after every later step. It must throw if it is violated. */
  public void always(Runnable invariant) {
    invariants.add(invariant);
  }

  /** Runs the next task, and advances the time if needed. Returns false if no task is pending. */
  public boolean step() {
    return step(Long.MAX_VALUE);
  }

  /** Advances the time by {@code span} and runs all tasks that become due. */
  public void runFor(Duration span) {
    long end = Math.addExact(agenda.now(), Agenda.millis(span));
    while (step(end)) {
      // each step checks itself
    }
    agenda.passTo(end);
  }

  /** Runs until {@code goal} holds. Throws if it does not hold within {@code limit}. */
  public void runUntil(BooleanSupplier goal, Duration limit) {
    long end = Math.addExact(agenda.now(), Agenda.millis(limit));
    while (!goal.getAsBoolean()) {
      if (!step(end)) {
        throw new AssertionError(
            "the goal was not reached within %s, and nothing else is due (%s)"
                .formatted(limit, where()));
      }
    }
  }

  /** Runs until the future completes and returns its value. Throws if the future fails. */
  public <V> V await(Future<V> future) {
    runUntil(future::isComplete, WAIT_LIMIT);
    if (future.failed()) {
      throw new AssertionError("failed: " + future.cause(), future.cause());
    }
    return future.result();
  }

  /** Runs until the future completes and returns its failure. Throws if the future succeeds. */
  public Throwable failure(Future<?> future) {
    runUntil(future::isComplete, WAIT_LIMIT);
    if (future.succeeded()) {
      throw new AssertionError("expected a failure, but the result is " + future.result());
    }
    return future.cause();
  }

  Agenda agenda() {
    return agenda;
  }

  private boolean step(long end) {
    if (current != null) {
      throw new IllegalStateException("the world is already running: " + where());
    }
    long before = agenda.now();
    var task = agenda.next(end, order);
    if (task == null) {
      return false;
    }
    stepsAtThisTime = agenda.now() == before ? stepsAtThisTime + 1 : 1;
    steps++;
    run(task);
    return true;
  }

  private void run(Agenda.Task task) {
    current = task.lane();
    fold(agenda.now());
    fold(task.lane().name().hashCode());
    try {
      task.work().run();
      invariants.forEach(Runnable::run);
      if (stepsAtThisTime > MOST_STEPS_AT_ONE_TIME) {
        throw new AssertionError("time does not advance: tasks add tasks without end");
      }
    } catch (RuntimeException | Error failure) {
      throw new AssertionError(where() + ": " + failure, failure);
    } finally {
      current = null;
    }
  }

  private void fold(long fact) {
    trace = (trace ^ fact) * 0x9E3779B97F4A7C15L;
    trace ^= trace >>> 29;
  }

  private String where() {
    return "seed %d, step %d, %s%s"
        .formatted(seed, steps, now(), current == null ? "" : ", loop " + current.name());
  }

  private VirtualLoop virtual(Loop loop) {
    if (loop instanceof VirtualLoop mine && mine.world() == this) {
      return mine;
    }
    throw new IllegalArgumentException(loop + " is not a loop of this world");
  }
}
