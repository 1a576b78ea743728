/** Random programs, run by Verwalter's engine and by PUC Lua 5.3. */
@org.jspecify.annotations.NullMarked
package verwalter.scheduler.lua.fuzz;
