/**
 * Functions of Lua's standard library that do not depend on how an engine represents values. Both
 * engines call them. A string of bytes is a {@code String} whose characters are at most 255.
 */
@NullMarked
package verwalter.scheduler.lua.library;

import org.jspecify.annotations.NullMarked;
