/**
 * Runs the scheduler and writes its decision: one {@link verwalter.model.Schedule} for the cluster
 * and a {@link verwalter.model.NodeSchedule} for each node, in one transaction. Runs on the leader.
 */
@NullMarked
package verwalter.controllers.schedule;

import org.jspecify.annotations.NullMarked;
