/**
 * The grammar of Lua 5.3: source text to a tree in which every name is already resolved to the
 * local variable it means. Knows nothing of how programs run.
 */
@NullMarked
package verwalter.scheduler.lua.syntax;

import org.jspecify.annotations.NullMarked;
