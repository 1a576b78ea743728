package verwalter.controllers.deployment;

import io.vertx.core.Future;

/**
 * A download or an unpacking that was begun.
 *
 * @param <V> its result
 */
public interface ReleaseWork<V> {
  /** The result. It completes on the loop, and fails only with a {@link ReleaseFailure}. */
  Future<V> done();

  /** How far it is. Does not block. */
  ByteProgress progress();

  /** Ends it soon. Has no effect once it has ended. */
  void cancel();
}
