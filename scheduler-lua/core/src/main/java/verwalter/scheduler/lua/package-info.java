/**
 * Schedulers written in Lua 5.3. The entry point is {@link verwalter.scheduler.lua.LuaScheduler}:
 * it runs a program on its own thread and within a {@link verwalter.scheduler.lua.Budget}. {@link
 * verwalter.scheduler.lua.LuaEngine} defines the promises of an engine; everything that does not
 * depend on the engine (budget, {@code require}, parsing of the result) is in this package.
 */
@NullMarked
package verwalter.scheduler.lua;

import org.jspecify.annotations.NullMarked;
