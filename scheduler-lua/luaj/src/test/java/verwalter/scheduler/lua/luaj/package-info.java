@NullMarked
package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.NullMarked;
