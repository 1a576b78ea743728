package verwalter.controllers.lease;

import java.time.Duration;
import java.time.Instant;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The time during which this process could observe others. It passes by a timer of one second, so
 * it stands still while the process is paused, and it does not depend on the clock. Confined to its
 * loop.
 */
final class ObservedTime {
  /** The precision. */
  static final Duration TICK = Duration.ofSeconds(1);

  /** A timer that is later than this shows that the process was paused. */
  static final Duration LATE = Duration.ofSeconds(2);

  private final Loop loop;
  private Duration passed = Duration.ZERO;
  private Duration uninterrupted = Duration.ZERO;
  private Instant ticked;

  /** Creates a time that does not pass before {@link #start}. */
  ObservedTime(Loop loop) {
    this.loop = loop;
    this.ticked = loop.now();
  }

  /** Lets the time pass until the watch is closed. */
  Watch start() {
    ticked = loop.now();
    var ticking = new Ticking();
    ticking.await();
    return ticking;
  }

  /** The time that has passed. */
  Duration passed() {
    return passed;
  }

  /** The time since the last pause. */
  Duration uninterrupted() {
    return uninterrupted;
  }

  private void tick() {
    var now = loop.now();
    boolean paused = Duration.between(ticked, now).compareTo(TICK.plus(LATE)) > 0;
    ticked = now;
    passed = passed.plus(TICK);
    uninterrupted = paused ? Duration.ZERO : uninterrupted.plus(TICK);
  }

  private final class Ticking implements Watch {
    private boolean closed;

    private void await() {
      loop.after(
          TICK,
          () -> {
            if (!closed) {
              tick();
              await();
            }
          });
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
