/** Turns this node's share of the schedule into role instances, and sums up how they fare. */
@NullMarked
package verwalter.controllers.nodeschedule;

import org.jspecify.annotations.NullMarked;
