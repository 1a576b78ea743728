/**
 * Asks the scheduler what should run where, and writes the answer down: one {@link
 * verwalter.model.Schedule} for the cluster and a {@link verwalter.model.NodeSchedule} for each
 * node, in one transaction. Runs where the leader is.
 */
@NullMarked
package verwalter.controllers.schedule;

import org.jspecify.annotations.NullMarked;
