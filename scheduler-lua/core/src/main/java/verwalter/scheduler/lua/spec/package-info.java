/**
 * Runs the specs of schedulers, written in Lua in the style of busted, under the rules and the
 * budget of schedulers.
 */
@NullMarked
package verwalter.scheduler.lua.spec;

import org.jspecify.annotations.NullMarked;
