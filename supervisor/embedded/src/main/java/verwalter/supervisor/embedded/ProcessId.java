package verwalter.supervisor.embedded;

/**
 * A process of this machine, distinguished from later ones with the same number.
 *
 * @param startTicks its start time in the kernel's ticks (field 22 of its stat file)
 */
record ProcessId(long pid, long startTicks) {}
