/** Tests of the runner of specs, and the specs of Verwalter's Lua modules. */
@org.jspecify.annotations.NullMarked
package verwalter.scheduler.lua.spec;
