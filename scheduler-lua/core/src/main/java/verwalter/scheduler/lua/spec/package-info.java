/**
 * Runs the specs of schedulers, written in Lua in the manner of busted, with the rules and the
 * budget that schedulers have.
 */
@NullMarked
package verwalter.scheduler.lua.spec;

import org.jspecify.annotations.NullMarked;
