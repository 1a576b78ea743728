package verwalter.stores.testkit;

import java.time.Duration;

/**
 * The faults of a {@link FaultyStore}.
 *
 * @param lostBefore probability that a write fails without an effect, from 0 to 1
 * @param lostAfter probability that a write fails although it had an effect, from 0 to 1
 * @param delay largest delay of a write in each direction
 * @param lag largest delay of reads and watches behind writes
 */
public record Faults(double lostBefore, double lostAfter, Duration delay, Duration lag) {
  /** No faults: the store behaves like the underlying store. */
  public static final Faults NONE = new Faults(0, 0, Duration.ZERO, Duration.ZERO);

  /** Slow without losses: writes take up to 200 ms, reads lag by up to 300 ms. */
  public static final Faults SLOW =
      new Faults(0, 0, Duration.ofMillis(100), Duration.ofMillis(300));

  /** {@link #SLOW}, and one write in five fails, half of them after their effect. */
  public static final Faults HARSH =
      new Faults(0.1, 0.1, Duration.ofMillis(100), Duration.ofMillis(300));
}
