/**
 * Lua on luaj 3.0.1, mended where it differs from Lua 5.3. The only package that sees luaj. What
 * cannot be mended from outside is listed at {@link verwalter.scheduler.lua.luaj.LuajEngine}.
 */
@NullMarked
package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.NullMarked;
