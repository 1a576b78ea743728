package verwalter.cluster.forks;

import io.vertx.core.Future;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;

/** A candidate that does nothing while it leads. */
final class IdleCandidate implements Leadership.Candidate {
  @Override
  public void lead(Term term) {}

  @Override
  public Future<Void> stop() {
    return Future.succeededFuture();
  }
}
