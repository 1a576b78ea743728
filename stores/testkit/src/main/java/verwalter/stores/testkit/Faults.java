package verwalter.stores.testkit;

import java.time.Duration;

/**
 * How badly a {@link FaultyStore} behaves.
 *
 * @param lostBefore how likely a write fails without having had an effect, from 0 to 1
 * @param lostAfter how likely a write fails although it had its effect, from 0 to 1
 * @param delay how long a write may take each way, at most
 * @param lag how far reads and watches may be behind the writes, at most
 */
public record Faults(double lostBefore, double lostAfter, Duration delay, Duration lag) {
  /** No faults at all: the store behaves like the one behind it, and as fast. */
  public static final Faults NONE = new Faults(0, 0, Duration.ZERO, Duration.ZERO);

  /** Slow, but nothing gets lost: writes take up to 200 ms, reads are up to 300 ms behind. */
  public static final Faults SLOW =
      new Faults(0, 0, Duration.ofMillis(100), Duration.ofMillis(300));

  /** {@link #SLOW}, and one write in five fails, half of them after their effect. */
  public static final Faults HARSH =
      new Faults(0.1, 0.1, Duration.ofMillis(100), Duration.ofMillis(300));
}
