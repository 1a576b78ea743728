package verwalter.stores.api;

import verwalter.model.Resource;

/** A write of a transaction, based on the version of its resource. */
public sealed interface Write {
  Resource<?, ?> resource();

  /**
   * Creates the object (version 0), or replaces metadata and spec at the given version and keeps
   * the stored status. It may contain a status only if it creates the object.
   */
  record Put(Resource<?, ?> resource) implements Write {}

  /**
   * Replaces the status, and nothing else, of the object with this uid. It is refused if another
   * status was written since the given version; 0 means any version. In a transaction it may follow
   * the {@link Put} of the same object.
   */
  record PutStatus(Resource<?, ?> resource) implements Write {}

  /**
   * Requests the removal of the object at the given version; 0 means any version. The uid, if
   * given, must match.
   */
  record Remove(Resource<?, ?> resource) implements Write {}
}
