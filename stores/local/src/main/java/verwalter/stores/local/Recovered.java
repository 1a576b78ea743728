package verwalter.stores.local;

import java.util.OptionalInt;

/**
 * The result of a recovery.
 *
 * @param checksum the checksum of the last entry; empty if no entry was read
 */
record Recovered(Journal journal, long index, OptionalInt checksum) {}
