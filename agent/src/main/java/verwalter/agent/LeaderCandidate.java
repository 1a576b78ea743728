package verwalter.agent;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.runtime.Counters;
import verwalter.stores.api.ObjectStore;

/**
 * Runs a group of leader's controllers while this node leads, another one for each term. A term
 * begins with its epoch in the store, so that no leader of an earlier term can write any more.
 * Confined to its loop, but for the counters.
 */
final class LeaderCandidate implements Leadership.Candidate {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderCandidate.class);

  private final ObjectStore store;
  private final LongFunction<LeaderControllers> start;
  private volatile Optional<LeaderControllers> group = Optional.empty();
  private Future<?> beginning = Future.succeededFuture();

  /** The term that was begun last, by number; a group is started for no other. */
  private long terms;

  /**
   * A candidate that does not lead.
   *
   * @param start starts a group whose writes bear an epoch
   */
  LeaderCandidate(ObjectStore store, LongFunction<LeaderControllers> start) {
    this.store = store;
    this.start = start;
  }

  @Override
  public void lead(Term term) {
    long number = ++terms;
    // A node that is alone goes on in the epoch of its store.
    var epoch =
        store.epoch() == term.epoch()
            ? Future.succeededFuture(term.epoch())
            : store.beginEpoch(term.epoch());
    beginning =
        epoch
            .onSuccess(
                begun -> {
                  if (number == terms) {
                    LOG.info("leader=this epoch={}", begun);
                    group = Optional.of(start.apply(begun));
                  }
                })
            .onFailure(
                failure ->
                    LOG.error("cannot begin epoch {}: {}", term.epoch(), failure.getMessage()));
  }

  @Override
  public Future<Void> stop() {
    terms++;
    var running = group;
    group = Optional.empty();
    LOG.info("leader=other");
    return Future.join(
            beginning, running.map(LeaderControllers::stop).orElseGet(Future::succeededFuture))
        .mapEmpty();
  }

  /** The configuration directory has changed. */
  void changed(ConfigChange change) {
    group.ifPresent(running -> running.changed(change));
  }

  /** Counters of the present term; none while another node leads. */
  List<Counters.Snapshot> counters() {
    return group.map(LeaderControllers::counters).orElseGet(List::of);
  }
}
