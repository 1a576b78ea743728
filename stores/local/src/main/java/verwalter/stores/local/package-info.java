/**
 * The store of a node: the engine with files. Entries are appended to a journal, snapshots replace
 * old entries, and recovery reads both after a crash.
 */
@NullMarked
package verwalter.stores.local;

import org.jspecify.annotations.NullMarked;
