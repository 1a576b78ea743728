/** Random programs, run by our engine and by the real Lua 5.3. */
@org.jspecify.annotations.NullMarked
package verwalter.scheduler.lua.fuzz;
