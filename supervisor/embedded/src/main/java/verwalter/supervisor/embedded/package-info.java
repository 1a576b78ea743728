/**
 * The supervisor within the agent. It starts processes on this machine, each below a shim that
 * outlives the agent, and adopts them after a restart. Its files are in lithos's dialect.
 */
@NullMarked
package verwalter.supervisor.embedded;

import org.jspecify.annotations.NullMarked;
