package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.Kind;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;

/** Adds and removes the finalizer on behalf of a {@link FinalizingReconciler}. */
record Finalizer<S, T>(
    ObjectStore store, Kind<S, T> kind, String finalizer, FinalizingReconciler<S, T> reconciler)
    implements Reconciler {

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var found = store.get(kind, key.name());
    if (found.isEmpty() || !reconciler.concerns(found.get())) {
      return Result.done();
    }
    var object = found.get();
    if (!object.meta().deleting()) {
      return object.meta().has(finalizer)
          ? reconciler.reconcile(object)
          : store
              .put(object.withMeta(object.meta().adding(finalizer)))
              .compose(reconciler::reconcile);
    }
    if (!object.meta().has(finalizer)) {
      return Result.done();
    }
    return reconciler.cleanUp(object).compose(done -> done ? removeFinalizer(key) : Result.done());
  }

  private Future<Result> removeFinalizer(ResourceKey key) {
    return store
        .get(kind, key.name())
        .map(now -> store.put(now.withMeta(now.meta().removing(finalizer))).map(Result.DONE))
        .orElseGet(Result::done);
  }
}
