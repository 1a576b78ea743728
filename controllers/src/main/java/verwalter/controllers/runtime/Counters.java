package verwalter.controllers.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a controller. Written on its loop, read from any thread. */
public final class Counters {
  /** Upper bounds of the latency buckets in milliseconds; the last bucket has no bound. */
  private static final List<Long> BOUNDS = List.of(1L, 5L, 25L, 100L, 500L, 2_000L, 10_000L);

  private final String controller;
  private final LongAdder reconciles = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder millis = new LongAdder();
  private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS.size() + 1);
  private final AtomicInteger depth = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();

  Counters(String controller) {
    this.controller = controller;
  }

  void reconciled(Duration latency) {
    reconciles.increment();
    millis.add(latency.toMillis());
    int bucket = 0;
    while (bucket < BOUNDS.size() && latency.toMillis() > BOUNDS.get(bucket)) {
      bucket++;
    }
    buckets.incrementAndGet(bucket);
  }

  void failed() {
    failures.increment();
  }

  void conflicted() {
    conflicts.increment();
  }

  void queued(int depth, int busy) {
    this.depth.set(depth);
    this.busy.set(busy);
  }

  /** The current values. */
  public Snapshot snapshot() {
    var counts = new long[buckets.length()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets.get(i);
    }
    return new Snapshot(
        controller,
        reconciles.sum(),
        failures.sum(),
        conflicts.sum(),
        depth.get(),
        busy.get(),
        new Latency(millis.sum(), BOUNDS, java.util.Arrays.stream(counts).boxed().toList()));
  }

  /**
   * The values of the counters at one time.
   *
   * @param reconciles runs that ended, successfully or not
   * @param failures runs that failed and are retried with backoff
   * @param conflicts runs that ended with a conflict and are repeated
   * @param depth keys waiting to be run
   * @param busy keys being run
   */
  public record Snapshot(
      String controller,
      long reconciles,
      long failures,
      long conflicts,
      int depth,
      int busy,
      Latency latency) {}

  /**
   * The duration of runs.
   *
   * @param sumMillis the sum of all durations
   * @param boundsMillis upper bounds of all buckets but the last
   * @param counts runs in each bucket, not cumulative
   */
  public record Latency(long sumMillis, List<Long> boundsMillis, List<Long> counts) {
    public Latency {
      boundsMillis = List.copyOf(boundsMillis);
      counts = List.copyOf(counts);
    }
  }
}
