/**
 * The engine of every store: versions, transactions, history, subscriptions and indexes over a
 * {@link verwalter.stores.engine.Log}.
 *
 * <p>A transaction becomes an {@link verwalter.stores.engine.Entry}, which contains the writes with
 * their preconditions, the time, the uids of new objects and the epoch. {@link
 * verwalter.stores.engine.Transaction} applies or refuses it. The result depends only on the entry
 * and the previous state, so stores that apply the same entries are equal byte for byte.
 *
 * <p>The state is an immutable tree that readers and snapshots share without locks. {@link
 * verwalter.stores.engine.Versions} serves readers and watchers.
 */
@NullMarked
package verwalter.stores.engine;

import org.jspecify.annotations.NullMarked;
