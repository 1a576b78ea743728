/**
 * Where one node keeps its objects: the engine over files. An append-only journal holds the
 * entries, snapshots shorten it, and recovery reads both back after a crash.
 */
@NullMarked
package verwalter.stores.local;

import org.jspecify.annotations.NullMarked;
