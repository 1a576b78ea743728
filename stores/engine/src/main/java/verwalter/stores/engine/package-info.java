/**
 * The engine of every store: versions, transactions, history, subscriptions and indexes over a
 * {@link verwalter.stores.engine.Log}.
 *
 * <p>A transaction becomes an {@link verwalter.stores.engine.Entry}, which carries everything that
 * decides what it does: the writes with their preconditions, the time, the uids of new objects and
 * the epoch. {@link verwalter.stores.engine.Transaction} applies it, a pure function of the state
 * before, also when it refuses. So stores that apply the same entries are equal, byte for byte.
 *
 * <p>The state is an immutable tree, so readers and snapshots share it without locks. What readers
 * and watchers see is {@link verwalter.stores.engine.Versions}.
 */
@NullMarked
package verwalter.stores.engine;

import org.jspecify.annotations.NullMarked;
