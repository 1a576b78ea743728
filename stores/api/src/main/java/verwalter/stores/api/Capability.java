package verwalter.stores.api;

/**
 * What not every store can do. A store declares what it has, and the kit in {@code stores/testkit}
 * fails when the declaration is wrong in either direction.
 */
public enum Capability {
  /** A transaction may write objects of several kinds, all of them or none. */
  TRANSACTIONS,

  /** Revisions are one total order over all kinds, and grow by one with each transaction. */
  TOTAL_ORDER,

  /** An object whose owners are all gone is removed in the revision in which the last one went. */
  OWNER_REMOVAL
}
