@NullMarked
package verwalter.scheduler.compare;

import org.jspecify.annotations.NullMarked;
