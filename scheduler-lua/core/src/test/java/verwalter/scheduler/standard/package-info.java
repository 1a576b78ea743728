@NullMarked
package verwalter.scheduler.standard;

import org.jspecify.annotations.NullMarked;
