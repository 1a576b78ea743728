package verwalter.stores.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long a process waits before an append, so that others can append too. The process
 * that appended last knows the next number first and would otherwise always win.
 *
 * <ul>
 *   <li>If another process has appended within {@link #RECENTLY}, a process waits after its own
 *       entry for one to three times the duration of its last append.
 *   <li>A process that has appended without a pause for {@link #BUSY} pauses, mostly for about the
 *       duration of an append and rarely for much longer. So a process whose appends take longer
 *       gets through too.
 * </ul>
 */
final class Turns {
  static final Duration RECENTLY = Duration.ofSeconds(1);
  static final Duration BUSY = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final long LONGEST_GAP = 500;
  private static final long LONGEST_TURN = 300;

  private final DoubleSupplier chance;
  private @Nullable Instant other;
  private @Nullable Instant busySince;
  private @Nullable Instant ended;
  private Instant began = Instant.EPOCH;
  private Duration lasted = Duration.ZERO;

  /** Whether the newest entry is of this process. */
  private boolean mine;

  /**
   * Creates the turns of a process.
   *
   * @param chance random numbers from 0 (inclusive) to 1 (exclusive)
   */
  Turns(DoubleSupplier chance) {
    this.chance = chance;
  }

  /** An entry of another process was reported. */
  void other(Instant now) {
    other = now;
    mine = false;
  }

  /** An append of this process begins. */
  void begin(Instant now) {
    began = now;
    if (busySince == null || !isGoingOn(now)) {
      busySince = now;
    }
  }

  /** The append has succeeded. */
  void appended(Instant now) {
    lasted = Duration.between(began, now);
    ended = now;
    mine = true;
  }

  /** How long to wait before the next append. */
  Duration delay(Instant now) {
    if (mine && other != null && isWithin(RECENTLY, Duration.between(other, now))) {
      long millis = Math.max(1, Math.round(lasted.toMillis() * (1 + 2 * chance.getAsDouble())));
      return Duration.ofMillis(Math.min(LONGEST_TURN, millis));
    }
    if (busySince != null
        && isGoingOn(now)
        && BUSY.compareTo(Duration.between(busySince, now)) < 0) {
      busySince = null;
      double gap = Math.max(1, lasted.toMillis()) / Math.max(1e-6, 1 - chance.getAsDouble());
      return Duration.ofMillis(Math.min(LONGEST_GAP, Math.round(gap)));
    }
    return Duration.ZERO;
  }

  /** Whether the last append has just ended. */
  private boolean isGoingOn(Instant now) {
    return ended != null && isWithin(PAUSE, Duration.between(ended, now));
  }

  private static boolean isWithin(Duration limit, Duration time) {
    return !time.isNegative() && time.compareTo(limit) <= 0;
  }
}
