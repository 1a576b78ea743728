package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;

/**
 * Reconciles objects that must not vanish before the world has been tidied up: puts a finalizer on
 * each, and takes it off a deleted one when {@link Keeper#release} is done.
 */
public final class Finalized<S, T> implements Reconciler {
  private final ObjectStore store;
  private final Kind<S, T> kind;
  private final String finalizer;
  private final Keeper<S, T> keeper;

  public Finalized(ObjectStore store, Kind<S, T> kind, String finalizer, Keeper<S, T> keeper) {
    this.store = store;
    this.kind = kind;
    this.finalizer = finalizer;
    this.keeper = keeper;
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var found = store.get(kind, key.name());
    if (found.isEmpty() || !keeper.concerns(found.get())) {
      return Result.done();
    }
    var object = found.get();
    if (!object.meta().deleting()) {
      return object.meta().has(finalizer)
          ? keeper.keep(object)
          : store.put(object.withMeta(object.meta().adding(finalizer))).compose(keeper::keep);
    }
    if (!object.meta().has(finalizer)) {
      return Result.done();
    }
    return keeper.release(object).compose(gone -> gone ? letGo(key) : Result.done());
  }

  private Future<Result> letGo(ResourceKey key) {
    return store
        .get(kind, key.name())
        .map(now -> store.put(now.withMeta(now.meta().removing(finalizer))).map(Result.DONE))
        .orElseGet(Result::done);
  }

  /** What to do for an object while it is wanted, and once it is not. */
  public interface Keeper<S, T> {
    /** Whether this controller looks after that object at all. */
    default boolean concerns(Resource<S, T> object) {
      return true;
    }

    /** The object is wanted: bring the world closer to it. */
    Future<Result> keep(Resource<S, T> object);

    /**
     * The object is deleted: undo what was done for it. Gives true once nothing is left; false when
     * something is still on its way, which must name the key again.
     */
    Future<Boolean> release(Resource<S, T> object);
  }
}
