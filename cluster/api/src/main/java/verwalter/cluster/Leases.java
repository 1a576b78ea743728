package verwalter.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * Signs of life of nodes. Each node renews its lease every {@link #RENEWAL}; the other nodes hear
 * of it. Nothing of it is stored, so an idle cluster writes nothing.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A renewal is heard on the node itself, and on every node that is connected to it, within a
 *       few seconds; on a node that is cut off, or when it is lost on the way, it is not heard.
 *   <li>{@link #heard} is the time, by the clock of the node that hears, at which the last renewal
 *       arrived. It never goes back while that clock does not, and it is empty for a machine of
 *       which nothing was heard since this node began to listen.
 *   <li>A watcher hears of each renewal that arrives after {@code watch} was called, on the loop it
 *       named and never before {@code watch} has returned. A closed watch is silent.
 *   <li>No method blocks.
 * </ol>
 */
public interface Leases {
  /** The time between two renewals of one node. */
  Duration RENEWAL = Duration.ofSeconds(10);

  /** Renews the lease of this node. */
  void renew();

  /** When the last renewal of a machine arrived here; empty if none has. */
  Optional<Instant> heard(String machine);

  /** Reports each machine whose renewal arrives to {@code watcher} on {@code loop}. */
  Watch watch(Loop loop, Consumer<String> watcher);
}
