/** Converts a node's share of the schedule to role instances and reports their state. */
@NullMarked
package verwalter.controllers.nodeschedule;

import org.jspecify.annotations.NullMarked;
