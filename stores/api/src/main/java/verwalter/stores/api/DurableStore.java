package verwalter.stores.api;

/** A store that survives the end of its process, and reports when it cannot be written. */
public interface DurableStore extends EpochStore, StoreHealth {}
