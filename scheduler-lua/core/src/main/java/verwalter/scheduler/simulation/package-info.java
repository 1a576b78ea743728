/**
 * Runs a scheduler over many steps of virtual time on a simulated cluster: schedules return as
 * parents, instances run where they were placed, nodes fail and loads change as configured.
 */
@NullMarked
package verwalter.scheduler.simulation;

import org.jspecify.annotations.NullMarked;
