package verwalter.stores.local;

/** What a store's files hold, and the log to go on with. */
record Recovered(State state, History history, Journal journal) {}
