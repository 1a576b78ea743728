package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.runtime.Counters;
import verwalter.stores.api.EpochStore;

/**
 * Runs the leader's controllers while this node leads, in a new group for each term. A term first
 * begins its epoch in the store, so that leaders of earlier terms cannot write. Confined to its
 * loop, except for the counters.
 */
final class LeaderCandidate implements Leadership.Candidate {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderCandidate.class);

  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10));

  /** After this time a node knows that another one leads: no lease is longer. */
  private static final Duration LEASE_OVER = Duration.ofSeconds(10);

  private final EpochStore store;
  private final Loop loop;
  private final Leading leading;
  private final LongFunction<LeaderControllers> start;
  private volatile Optional<LeaderControllers> group = Optional.empty();
  private Future<?> beginning = Future.succeededFuture();

  /** The epoch of the group. */
  private long present;

  /** The number of the last term. A group is started for this term only. */
  private long terms;

  /**
   * Creates a candidate that does not lead yet.
   *
   * @param loop the loop of the candidate
   * @param leading begins before the group and ends after it
   * @param start starts a group whose writes are fenced by an epoch
   */
  LeaderCandidate(
      EpochStore store, Loop loop, Leading leading, LongFunction<LeaderControllers> start) {
    this.store = store;
    this.loop = loop;
    this.leading = leading;
    this.start = start;
  }

  @Override
  public void lead(Term term) {
    long number = ++terms;
    long present = store.epoch();
    // A single node continues in the epoch of its store.
    if (present == term.epoch()) {
      start(number, present);
    } else {
      begin(number, Math.max(term.epoch(), present + 1), 0);
    }
  }

  private void start(long number, long epoch) {
    if (number == terms) {
      LOG.info("leader=this epoch={}", epoch);
      leading.begin(epoch).onComplete(begun -> loop.execute(() -> decide(number, epoch)));
    }
  }

  private void decide(long number, long epoch) {
    if (number != terms) {
      return;
    }
    if (store.epoch() > epoch) {
      beginAnother();
    } else {
      present = epoch;
      group = Optional.of(start.apply(epoch));
    }
  }

  /**
   * Begins another epoch if the one of the group has passed: another node begins one before it
   * merges a fork, so that versions grow, and the request of a former leader may arrive late. Call
   * on the loop.
   */
  void renew() {
    if (group.isPresent() && store.epoch() > present) {
      beginAnother();
    }
  }

  private void beginAnother() {
    var stopping = stop();
    long number = terms;
    stopping.onComplete(
        stopped ->
            loop.execute(
                () -> {
                  if (number == terms) {
                    begin(++terms, store.epoch() + 1, 0);
                  }
                }));
  }

  private void begin(long number, long epoch, int failures) {
    var begun = store.beginEpoch(epoch);
    beginning = begun;
    begun.onComplete(
        done ->
            loop.execute(
                () -> {
                  if (done.succeeded()) {
                    start(number, done.result());
                  } else if (number == terms) {
                    LOG.warn("cannot begin epoch {}: {}", epoch, done.cause().getMessage());
                    loop.after(
                        RETRY.delay(failures + 1), () -> beginAgain(number, epoch, failures + 1));
                  }
                }));
  }

  private void beginAgain(long number, long epoch, int failures) {
    if (number != terms) {
      return;
    }
    long present = store.epoch();
    if (present == epoch) {
      start(number, epoch); // the answer was lost, not the write
    } else if (present < epoch) {
      begin(number, epoch, failures);
    } else {
      // The later epoch belongs to a later term, and then this one stops soon, or to none.
      LOG.warn("epoch {} cannot begin any more: the store is in epoch {}", epoch, present);
      loop.after(LEASE_OVER, () -> beginLater(number));
    }
  }

  /** Begins an epoch after that of another node, unless that node leads. */
  private void beginLater(long number) {
    if (number == terms) {
      begin(number, store.epoch() + 1, 0);
    }
  }

  @Override
  public Future<Void> stop() {
    terms++;
    var running = group;
    group = Optional.empty();
    leading.end();
    LOG.info("leader=other");
    return Future.join(
            beginning, running.map(LeaderControllers::stop).orElseGet(Future::succeededFuture))
        .mapEmpty();
  }

  /** Reports a change of the configuration directory. */
  void changed(ConfigChange change) {
    group.ifPresent(running -> running.changed(change));
  }

  /** Counters of the present term; none while another node leads. */
  List<Counters.Snapshot> counters() {
    return group.map(LeaderControllers::counters).orElseGet(List::of);
  }
}
