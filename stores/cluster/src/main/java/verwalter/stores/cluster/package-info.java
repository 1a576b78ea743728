/**
 * The store of a cluster: the engine over a log that the electors share, with a copy of the log in
 * local files.
 *
 * <p>A {@link verwalter.stores.cluster.ClusterStore} runs on each elector, and each can write. An
 * entry is reported when it is durable on a majority; the copy is written afterwards, so that a
 * restart reads only new entries from the log, and the log can be trimmed.
 */
@NullMarked
package verwalter.stores.cluster;

import org.jspecify.annotations.NullMarked;
