package verwalter.stores.api;

/**
 * An optional feature of a store. A store declares its capabilities, and the contract test in
 * {@code stores/testkit} fails if a declared capability is missing or an existing one is not
 * declared.
 */
public enum Capability {
  /** A transaction may atomically write objects of several kinds. */
  TRANSACTIONS,

  /** Revisions are a total order over all kinds, and increase by one with each transaction. */
  TOTAL_ORDER,

  /** An object is removed in the same revision as its last owner. */
  OWNER_REMOVAL
}
