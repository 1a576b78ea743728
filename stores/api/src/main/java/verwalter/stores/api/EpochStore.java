package verwalter.stores.api;

import io.vertx.core.Future;

/** A store in which a leader can begin an epoch. Only a candidate for leadership needs it. */
public interface EpochStore extends ObjectStore {
  /**
   * Begins a new epoch, which is durable like a write: {@code atLeast}, or the next one after the
   * present epoch if that is larger. All later writes that are fenced by another epoch are refused.
   *
   * @return the new epoch
   */
  Future<Long> beginEpoch(long atLeast);
}
