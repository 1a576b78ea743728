/**
 * Schedulers written in Lua 5.3. {@link verwalter.scheduler.lua.LuaScheduler} is the way in: it
 * runs a program on a thread of its own and within a {@link verwalter.scheduler.lua.Budget}. What
 * an engine must do is in {@link verwalter.scheduler.lua.LuaEngine}; everything that does not
 * depend on the engine (budget, the rule of {@code require}, reading the result) is in this
 * package.
 */
@NullMarked
package verwalter.scheduler.lua;

import org.jspecify.annotations.NullMarked;
