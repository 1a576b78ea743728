package verwalter.e2e.simulation;

/** What the configuration asks of a role, on each node. */
record Wanted(String version, int count) {}
