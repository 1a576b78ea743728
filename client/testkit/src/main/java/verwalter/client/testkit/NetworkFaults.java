package verwalter.client.testkit;

import java.time.Duration;

/**
 * The faults of a {@link SimulatedNetwork}.
 *
 * @param least the shortest time that a packet takes
 * @param most the longest time that a packet takes; times are random for each connection, so
 *     requests may overtake each other
 * @param loss the share of packets that are lost and sent again after {@link #RETRANSMISSION}
 * @param reset the share of packets that break their connection instead of arriving
 */
public record NetworkFaults(Duration least, Duration most, double loss, double reset) {
  /** How long a sender waits before it sends a lost packet again. */
  public static final Duration RETRANSMISSION = Duration.ofMillis(300);

  /** No faults: a packet takes a millisecond. */
  public static final NetworkFaults NONE =
      new NetworkFaults(Duration.ofMillis(1), Duration.ofMillis(1), 0, 0);

  public NetworkFaults {
    if (least.compareTo(most) > 0 || loss < 0 || loss >= 1 || reset < 0 || reset > 1) {
      throw new IllegalArgumentException("expected least <= most, and shares from 0 to 1");
    }
  }
}
