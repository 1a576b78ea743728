package verwalter.stores.api;

import verwalter.model.Resource;

/** One write of a transaction, based on the version its resource names. */
public sealed interface Write {
  Resource<?, ?> resource();

  /** Creates the object (version 0) or replaces the version it names. */
  record Put(Resource<?, ?> resource) implements Write {}

  /**
   * Asks for the removal of the version it names; version 0 means whichever there is, but the uid,
   * if given, must match.
   */
  record Remove(Resource<?, ?> resource) implements Write {}
}
