/** Tells what two schedules, or any two JSON values, have in common and what not. Pure. */
@NullMarked
package verwalter.scheduler.compare;

import org.jspecify.annotations.NullMarked;
