@NullMarked
package verwalter.scheduler.lua;

import org.jspecify.annotations.NullMarked;
