package verwalter.stores.local;

/** The result of a recovery. */
record Recovered(Journal journal, long index) {}
