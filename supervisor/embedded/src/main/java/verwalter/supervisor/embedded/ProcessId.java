package verwalter.supervisor.embedded;

/**
 * A process of this machine, never mistaken for a later one with the same number.
 *
 * @param startTicks when the kernel started it (field 22 of its stat file)
 */
record ProcessId(long pid, long startTicks) {}
