package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/**
 * Reconciles objects of one kind that must not vanish before the world has been tidied up. {@link
 * #over} adds a finalizer to each object before its first {@link #reconcile}, and removes it from a
 * deleted object once {@link #cleanUp} has finished.
 */
public interface FinalizingReconciler<S, T> {
  /** Whether this controller is responsible for the object at all. */
  default boolean concerns(Resource<S, T> object) {
    return true;
  }

  /** The object is wanted: brings the world closer to it. */
  Future<Result> reconcile(Resource<S, T> object);

  /**
   * The object is deleted: undoes what was done for it. Gives true once nothing is left; false when
   * something is still under way, whose end must name the key again.
   */
  Future<Boolean> cleanUp(Resource<S, T> object);

  /** A reconciler that holds each object of {@code kind} by {@code finalizer}. */
  static <S, T> Reconciler over(
      ObjectStore store, Kind<S, T> kind, String finalizer, FinalizingReconciler<S, T> reconciler) {
    return new Finalizer<>(store, kind, finalizer, reconciler);
  }
}
