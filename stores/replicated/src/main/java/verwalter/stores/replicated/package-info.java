/**
 * The port of the log that the electors of a cluster share, and the blocks in which it stores
 * entries.
 */
@NullMarked
package verwalter.stores.replicated;

import org.jspecify.annotations.NullMarked;
