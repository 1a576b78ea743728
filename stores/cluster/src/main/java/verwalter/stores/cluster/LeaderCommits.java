package verwalter.stores.cluster;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import verwalter.model.Resource;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** Lets the leader commit the writes of a process that follows the log and appends nothing. */
@FunctionalInterface
public interface LeaderCommits {
  /**
   * What the leader has decided.
   *
   * @param revision a revision of the store that contains the writes, or on which the refusal is
   *     based
   * @param refusal why nothing was written; empty if the writes were committed
   * @param results the committed objects in the order of the writes
   */
  record Decided(long revision, Optional<StoreException> refusal, List<Resource<?, ?>> results) {
    public Decided {
      results = List.copyOf(results);
    }
  }

  /** Sends writes to the leader. Fails with a {@link StoreException} if no leader answers. */
  Future<Decided> commit(List<Write> writes);
}
