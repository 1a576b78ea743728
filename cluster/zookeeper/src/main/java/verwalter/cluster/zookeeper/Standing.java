package verwalter.cluster.zookeeper;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;

/**
 * A candidate, which is called on its own loop. Belongs to the loop of the leadership, except where
 * stated.
 */
final class Standing {
  private final TimedExecutor loop;
  private final Loop on;
  private final Leadership.Candidate candidate;
  private Future<Void> stopped = Future.succeededFuture();
  private volatile @Nullable Term granted;

  /** Whether the candidate was called to lead. Belongs to its loop. */
  private boolean leads;

  Standing(TimedExecutor loop, Loop on, Leadership.Candidate candidate) {
    this.loop = loop;
    this.on = on;
    this.candidate = candidate;
  }

  void lead(Term term) {
    granted = term;
    on.execute(
        () -> {
          if (term.equals(granted)) { // it may be over already
            leads = true;
            candidate.lead(term);
          }
        });
  }

  /** Stops the candidate; the future completes on the loop, after the limit at the latest. */
  Future<Void> stop() {
    granted = null;
    var done = Promise.<Void>promise();
    loop.after(Leadership.STOP_LIMIT, done::tryComplete);
    on.execute(
        () -> {
          var stopping = leads ? candidate.stop() : Future.<Void>succeededFuture();
          leads = false;
          stopping.onComplete(any -> loop.execute(done::tryComplete));
        });
    stopped = done.future();
    return stopped;
  }

  /** The result of the last {@link #stop}; succeeded if there was none. */
  Future<Void> stopped() {
    return stopped;
  }
}
