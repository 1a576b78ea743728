package verwalter.stores.api;

import verwalter.model.Resource;

/** One write of a transaction, based on the version its resource names. */
public sealed interface Write {
  Resource<?, ?> resource();

  /**
   * Creates the object (version 0), or replaces metadata and spec of the version it names and keeps
   * the stored status. Only an object that is created may bear a status.
   */
  record Put(Resource<?, ?> resource) implements Write {}

  /**
   * Replaces the status, and nothing else, of the object with this uid. The version matters only
   * for the status: it is refused where another status was written since, and 0 means whichever
   * there is. In one transaction it may follow the {@link Put} of the same object.
   */
  record PutStatus(Resource<?, ?> resource) implements Write {}

  /**
   * Asks for the removal of the version it names; version 0 means whichever there is, but the uid,
   * if given, must match.
   */
  record Remove(Resource<?, ?> resource) implements Write {}
}
