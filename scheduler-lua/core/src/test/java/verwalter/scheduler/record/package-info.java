@NullMarked
package verwalter.scheduler.record;

import org.jspecify.annotations.NullMarked;
