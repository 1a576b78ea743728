/**
 * The grammar of Lua 5.3: parses source text to a tree in which every name is resolved to its local
 * variable. Independent of how programs run.
 */
@NullMarked
package verwalter.scheduler.lua.syntax;

import org.jspecify.annotations.NullMarked;
