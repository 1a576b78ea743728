package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/**
 * Reconciles objects of one kind that must be cleaned up before they are removed. {@link #over}
 * adds a finalizer to each object before its first {@link #reconcile}, and removes it from a
 * deleted object once {@link #cleanUp} has finished.
 */
public interface FinalizingReconciler<S, T> {
  /** Whether this controller is responsible for the object. */
  default boolean concerns(Resource<S, T> object) {
    return true;
  }

  /** Reconciles an object that is not deleted. */
  Future<Result> reconcile(Resource<S, T> object);

  /**
   * Cleans up for a deleted object. Returns true once nothing is left, and false while the cleanup
   * is in progress; its end must name the key again.
   */
  Future<Boolean> cleanUp(Resource<S, T> object);

  /** Returns a reconciler that puts {@code finalizer} on each object of {@code kind}. */
  static <S, T> Reconciler over(
      ObjectStore store, Kind<S, T> kind, String finalizer, FinalizingReconciler<S, T> reconciler) {
    return new Finalizer<>(store, kind, finalizer, reconciler);
  }
}
