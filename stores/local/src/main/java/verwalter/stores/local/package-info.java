/**
 * Where one node keeps its objects: in memory, and, in the durable store, in an append-only journal
 * beside it.
 *
 * <p>A write is decided by {@link verwalter.stores.local.Transaction}, a pure function of the state
 * before; the state is an immutable tree, so readers and snapshots share it without locks. What
 * readers and watchers see is {@link verwalter.stores.local.Versions}, the same for both stores.
 */
@NullMarked
package verwalter.stores.local;

import org.jspecify.annotations.NullMarked;
