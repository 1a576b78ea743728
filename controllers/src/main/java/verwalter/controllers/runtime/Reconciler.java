package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.ResourceKey;

/**
 * Brings the world one step closer to what the object named by {@code key} asks for.
 *
 * <p>It is told which object to look at, never what happened to it. It must be idempotent, must not
 * block its loop, and is never run twice at once for the same key.
 */
@FunctionalInterface
public interface Reconciler {
  Future<Result> reconcile(ResourceKey key);
}
