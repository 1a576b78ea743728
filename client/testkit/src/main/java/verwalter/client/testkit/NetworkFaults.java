package verwalter.client.testkit;

import java.time.Duration;

/**
 * What a {@link SimulatedNetwork} does to the packets of a connection.
 *
 * @param least the shortest time that a packet takes
 * @param most the longest time that a packet takes; since each connection draws its own times,
 *     requests overtake one another
 * @param loss the share of packets that are lost and sent again after {@link #RETRANSMISSION}
 * @param reset the share of packets that break their connection instead of arriving
 */
public record NetworkFaults(Duration least, Duration most, double loss, double reset) {
  /** How long a sender waits before it sends a lost packet again. */
  public static final Duration RETRANSMISSION = Duration.ofMillis(300);

  /** A local network in order: a packet takes a millisecond. */
  public static final NetworkFaults NONE =
      new NetworkFaults(Duration.ofMillis(1), Duration.ofMillis(1), 0, 0);

  public NetworkFaults {
    if (least.compareTo(most) > 0 || loss < 0 || loss >= 1 || reset < 0 || reset > 1) {
      throw new IllegalArgumentException("times in order, shares from 0 to 1");
    }
  }
}
