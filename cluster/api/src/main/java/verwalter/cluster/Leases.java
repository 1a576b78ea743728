package verwalter.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * Heartbeats of nodes. Each node renews its lease every {@link #RENEWAL}, and the leader receives
 * the renewal. Renewals are not stored, so an idle cluster writes nothing.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A renewal arrives at the node itself and, within a few seconds, at a connected leader. It
 *       may arrive at other connected nodes. It does not arrive at a disconnected node, and may be
 *       lost.
 *   <li>{@link #lastRenewal} is the time at which the last renewal arrived, by the clock of the
 *       receiving node. It never decreases unless that clock is set back. It is empty for a machine
 *       without a renewal since this node was started.
 *   <li>A watcher receives each renewal that arrives after the call of {@code watch}, on its loop
 *       and not before {@code watch} has returned. A closed watch reports nothing.
 *   <li>No method blocks.
 * </ol>
 */
public interface Leases {
  /** The time between two renewals of one node. */
  Duration RENEWAL = Duration.ofSeconds(2);

  /** Renews the lease of this node. */
  void renew();

  /** When the last renewal of a machine arrived at this node; empty if none has. */
  Optional<Instant> lastRenewal(String machine);

  /** Reports the machine id of each arriving renewal to {@code watcher} on {@code loop}. */
  Watch watch(Loop loop, Consumer<String> watcher);
}
