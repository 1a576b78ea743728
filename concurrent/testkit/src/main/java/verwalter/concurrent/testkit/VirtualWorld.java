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
 * Many loops in one thread, under virtual time and from a seed.
 *
 * <p>Time passes only when nothing is due. Each loop keeps its own order; among the loops that have
 * something to do the seed chooses. After every step the invariants run and the step is folded into
 * the {@link #trace}, so two runs of the same seed can be compared. A step costs O(log n) of the
 * pending tasks.
 *
 * <p>Tasks may be given from any thread; running them is up to one thread, the test's. A task or an
 * invariant that throws ends the run with an {@link AssertionError} that names the seed, the step,
 * the time and the loop.
 */
public final class VirtualWorld {
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MOST_STEPS_AT_ONE_TIME = 2_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final long seed;
  private final SplittableRandom random;
  private final SplittableRandom whim;
  private final Agenda agenda = new Agenda(BEGINNING.toEpochMilli());
  private final List<Runnable> invariants = new ArrayList<>();
  private @Nullable Lane current;
  private long steps;
  private int stepsAtThisTime;
  private long trace = 1;

  /** A world of its own: the same seed and the same tasks give the same run. */
  public VirtualWorld(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.whim = random.split();
  }

  /** A new loop; the name is for messages and the trace only. */
  public Loop loop(String name) {
    return new VirtualLoop(this, new Lane(name));
  }

  /**
   * Ends a loop as a crash would: what it still had to do never happens, and neither does anything
   * it is given from now on. The futures of its offloaded work never complete.
   */
  public void kill(Loop loop) {
    agenda.kill(virtual(loop).lane());
  }

  /** Whether the task that runs right now belongs to {@code loop}. */
  public boolean isOn(Loop loop) {
    return current == virtual(loop).lane();
  }

  /** The world's chance; drawing from it does not change which loop runs next. */
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

  /** Unique texts in the shape of UUIDs, from the seed. */
  public Supplier<String> uids() {
    return () -> new UUID(random.nextLong(), random.nextLong()).toString();
  }

  /** How many tasks have run. */
  public long steps() {
    return steps;
  }

  /** A hash of everything that ran and everything observed: equal for equal runs. */
  public long trace() {
    return trace;
  }

  /** Folds an observation into the trace; its {@code toString} must not depend on identity. */
  public void observe(Object fact) {
    fold(agenda.now());
    fold(fact.toString().hashCode());
  }

  /** Runs {@code invariant} after every step from now on; it throws if it does not hold. */
  public void always(Runnable invariant) {
    invariants.add(invariant);
  }

  /** Runs the next task, letting time pass if need be; false when nothing at all is pending. */
  public boolean step() {
    return step(Long.MAX_VALUE);
  }

  /** Lets {@code span} pass, running whatever falls due. */
  public void runFor(Duration span) {
    long end = Math.addExact(agenda.now(), Agenda.millis(span));
    while (step(end)) {
      // each step checks itself
    }
    agenda.passTo(end);
  }

  /** Runs until {@code goal} holds; it is an error if it does not within {@code limit}. */
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

  /** Runs until the future completes and gives its value; a failure is an error. */
  public <V> V await(Future<V> future) {
    runUntil(future::isComplete, PATIENCE);
    if (future.failed()) {
      throw new AssertionError("failed: " + future.cause(), future.cause());
    }
    return future.result();
  }

  /** Runs until the future completes and gives its failure; success is an error. */
  public Throwable failure(Future<?> future) {
    runUntil(future::isComplete, PATIENCE);
    if (future.succeeded()) {
      throw new AssertionError("should have failed, but gave " + future.result());
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
    var task = agenda.next(end, whim);
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
        throw new AssertionError("time stands still: tasks beget tasks without end");
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
