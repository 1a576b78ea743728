package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.ResourceKey;

/**
 * Moves the actual state one step towards the spec of the object named by {@code key}.
 *
 * <p>It receives the key of an object, not the change that caused the call. It must be idempotent
 * and must not block its loop. It is never run concurrently for the same key.
 */
@FunctionalInterface
public interface Reconciler {
  Future<Result> reconcile(ResourceKey key);
}
