/**
 * The tests that each implementation of {@link verwalter.stores.replicated.ReplicatedLog} must
 * pass, and a model of a replicated log for simulations.
 */
@NullMarked
package verwalter.stores.replicatedkit;

import org.jspecify.annotations.NullMarked;
