package verwalter.stores.api;

import io.vertx.core.Future;

/**
 * A store with epochs that passes every call to another store. A subclass overrides what it
 * changes.
 *
 * @param <R> the type of the other store
 */
public abstract class ForwardingEpochStore<R extends EpochStore> extends ForwardingStore<R>
    implements EpochStore {
  /** Passes calls to {@code real}. */
  protected ForwardingEpochStore(R real) {
    super(real);
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return real.beginEpoch(atLeast);
  }
}
