package verwalter.cluster.mirror;

import verwalter.model.ResourceKey;
import verwalter.stores.api.StoreException;

/**
 * Why a node refused a forwarded write.
 *
 * @param key the object that the reason is about
 * @param message for people
 */
record Refusal(Reason reason, ResourceKey key, String message) {
  /** The kind of {@link StoreException}. */
  enum Reason {
    CONFLICT,
    EXISTS,
    MISSING,
    INVALID,
    UNAVAILABLE
  }

  /** Describes a failure of the node's store; {@code key} is the first object of the write. */
  static Refusal of(Throwable failure, ResourceKey key) {
    var message = String.valueOf(failure.getMessage());
    if (failure instanceof StoreException.Conflict) {
      return new Refusal(Reason.CONFLICT, key, message);
    }
    if (failure instanceof StoreException.Exists) {
      return new Refusal(Reason.EXISTS, key, message);
    }
    if (failure instanceof StoreException.Missing) {
      return new Refusal(Reason.MISSING, key, message);
    }
    if (failure instanceof StoreException.Invalid || failure instanceof StoreException.Forbidden) {
      return new Refusal(Reason.INVALID, key, message);
    }
    return new Refusal(
        Reason.UNAVAILABLE,
        key,
        failure instanceof StoreException ? message : "its store failed; see its log");
  }

  /**
   * The exception for the writer.
   *
   * @param based the version of the leader that the write was based on
   * @param present the version of the leader that the object has now
   */
  StoreException exception(String node, long based, long present) {
    return switch (reason) {
      case CONFLICT -> new StoreException.Conflict(key, based, present);
      case EXISTS -> new StoreException.Exists(key);
      case MISSING -> new StoreException.Missing(key);
      case INVALID -> new StoreException.Invalid(key, "node " + node + " refuses it: " + message);
      case UNAVAILABLE -> new StoreException.Unavailable("node " + node + ": " + message);
    };
  }
}
