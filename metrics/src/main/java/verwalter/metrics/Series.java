package verwalter.metrics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One hour of a series, indexed by tick. Old values are in compressed blocks, the newest ones in an
 * open block. Owned by its {@link SeriesHistory}.
 */
final class Series {
  private static final int BLOCKS = SeriesHistory.POINTS / SampleBlock.SIZE;

  /** The memory of a series without labels and blocks, in bytes. */
  private static final int EMPTY = 64 + 16 + 8 * BLOCKS + 16 + 8 * SampleBlock.SIZE + 48;

  private final Labels labels;
  private final @Nullable SampleBlock[] blocks = new SampleBlock[BLOCKS];
  private final double[] open = new double[SampleBlock.SIZE];
  private long number;
  private boolean counter;
  private long lastTick;
  private long usedTick;
  private int bytes;

  Series(Labels labels, boolean counter, long tick) {
    this.labels = labels;
    this.counter = counter;
    this.number = tick / SampleBlock.SIZE;
    this.lastTick = tick;
    this.usedTick = tick;
    this.bytes = EMPTY + labels.bytes();
    Arrays.fill(open, Double.NaN);
  }

  Labels labels() {
    return labels;
  }

  boolean counter() {
    return counter;
  }

  /** The memory in bytes. */
  int bytes() {
    return bytes;
  }

  /** The tick of the last value. */
  long lastTick() {
    return lastTick;
  }

  /** The tick at which a rule last used it, or of its creation. */
  long usedTick() {
    return usedTick;
  }

  void used(long tick) {
    usedTick = tick;
  }

  /** Adds a value. Ticks never decrease; a second value of a tick replaces the first. */
  void record(long tick, boolean isCounter, double value) {
    long now = tick / SampleBlock.SIZE;
    if (now > number) {
      close(now);
    }
    open[(int) (tick % SampleBlock.SIZE)] = value;
    counter = isCounter;
    lastTick = tick;
  }

  private void close(long next) {
    put(number, SampleBlock.of(open));
    for (long skipped = Math.max(number + 1, next - BLOCKS); skipped < next; skipped++) {
      put(skipped, null);
    }
    number = next;
    Arrays.fill(open, Double.NaN);
  }

  private void put(long at, @Nullable SampleBlock block) {
    var before = blocks[slot(at - 1)];
    int slot = slot(at);
    var dropped = blocks[slot];
    boolean shares = block != null && before != null && before.isSameAs(block);
    blocks[slot] = shares ? before : block;
    bytes += (block == null ? 0 : block.bytes()) - (dropped == null ? 0 : dropped.bytes());
  }

  private static int slot(long number) {
    return Math.floorMod(number, BLOCKS);
  }

  /** The {@code count} values up to a tick, newest first; NaN for missing values. */
  double[] values(long tick, int count) {
    var values = new double[count];
    double[] unpacked = {};
    long at = -1;
    for (int i = 0; i < count; i++) {
      long wanted = tick - i;
      long block = Math.floorDiv(wanted, SampleBlock.SIZE);
      if (block != at) {
        at = block;
        unpacked = unpacked(block);
      }
      values[i] =
          unpacked.length == 0 ? Double.NaN : unpacked[Math.floorMod(wanted, SampleBlock.SIZE)];
    }
    return values;
  }

  private double[] unpacked(long wanted) {
    if (wanted == number) {
      return open;
    }
    boolean kept = wanted >= 0 && wanted < number && wanted >= number - BLOCKS;
    var block = kept ? blocks[slot(wanted)] : null;
    return block == null ? new double[0] : block.values();
  }
}
