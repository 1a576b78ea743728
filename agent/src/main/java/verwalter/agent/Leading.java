package verwalter.agent;

import io.vertx.core.Future;

/** What a leader needs besides its controllers. */
public interface Leading {
  /** A leader that has everything already. */
  Leading NOTHING =
      new Leading() {
        @Override
        public Future<Void> begin(long epoch) {
          return Future.succeededFuture();
        }

        @Override
        public void end() {}
      };

  /**
   * Begins a term.
   *
   * @return completes when the leader knows enough of what runs for its first decision
   */
  Future<Void> begin(long epoch);

  /** Ends the term. */
  void end();
}
