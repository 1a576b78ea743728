package verwalter.e2e.simulation;

/** The desired state of a role on each node. */
record Wanted(String version, int count) {}
