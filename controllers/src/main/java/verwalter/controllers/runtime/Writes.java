package verwalter.controllers.runtime;

import io.vertx.core.Future;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/** Writes an object only if it differs from the stored one. */
public final class Writes {
  /** Sets the status of {@code object} unless it is equal already. */
  public static <S, T> Future<Resource<S, T>> status(
      ObjectStore store, Resource<S, T> object, T status) {
    return object.status().filter(status::equals).isPresent()
        ? Future.succeededFuture(object)
        : store.putStatus(object.withStatus(status));
  }

  private Writes() {}
}
