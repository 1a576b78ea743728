/**
 * Lua on luaj 3.0.1, corrected where it differs from Lua 5.3. Only this package depends on luaj.
 * The differences that remain are listed at {@link verwalter.scheduler.lua.luaj.LuajEngine}.
 */
@NullMarked
package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.NullMarked;
