package verwalter.stores.local;

/** How a store's files go on after they were read. */
record Recovered(Journal journal, long index) {}
