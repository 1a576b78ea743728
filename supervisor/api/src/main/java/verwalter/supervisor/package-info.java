/**
 * The port through which controllers run processes: {@link verwalter.supervisor.Supervisor}.
 * Implementations are modules of their own and pass the contract kit of {@code supervisor-testkit}.
 */
@NullMarked
package verwalter.supervisor;

import org.jspecify.annotations.NullMarked;
