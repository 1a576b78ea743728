@NullMarked
package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.NullMarked;
