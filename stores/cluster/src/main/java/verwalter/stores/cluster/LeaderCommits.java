package verwalter.stores.cluster;

import io.vertx.core.Future;
import java.util.List;
import verwalter.model.Resource;
import verwalter.stores.api.Write;

/** Lets the leader commit the writes of a process that follows the log and appends nothing. */
@FunctionalInterface
public interface LeaderCommits {
  /**
   * A commit of the leader.
   *
   * @param revision a revision of the store that contains the writes
   * @param results the committed objects in the order of the writes
   */
  record Committed(long revision, List<Resource<?, ?>> results) {
    public Committed {
      results = List.copyOf(results);
    }
  }

  /**
   * Sends writes to the leader. Fails with a {@link verwalter.stores.api.StoreException} if the
   * leader refuses them, or if there is no leader that answers.
   */
  Future<Committed> commit(List<Write> writes);
}
