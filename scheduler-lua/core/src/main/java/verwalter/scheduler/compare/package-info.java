/** Compares two schedules, or any two JSON values. Pure. */
@NullMarked
package verwalter.scheduler.compare;

import org.jspecify.annotations.NullMarked;
