/**
 * Runs a scheduler over many steps of virtual time on a cluster that does what it says: schedules
 * come back as parents, instances run where they were put, nodes fail and load changes as planned.
 */
@NullMarked
package verwalter.scheduler.simulation;

import org.jspecify.annotations.NullMarked;
