/**
 * Lua on luaj 3.0.1, corrected where it differs from Lua 5.3. Only this package depends on luaj.
 * {@link verwalter.scheduler.lua.luaj.LuajEngine} lists the remaining differences.
 */
@NullMarked
package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.NullMarked;
