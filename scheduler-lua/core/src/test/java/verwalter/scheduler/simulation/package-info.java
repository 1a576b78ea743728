@NullMarked
package verwalter.scheduler.simulation;

import org.jspecify.annotations.NullMarked;
