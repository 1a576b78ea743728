/**
 * Text functions of Lua 5.3 for all engines: numerals, {@code string.format}, patterns, and UTF-8.
 * Strings of bytes are Java strings of the characters 0 to 255.
 */
@NullMarked
package verwalter.scheduler.lua.text;

import org.jspecify.annotations.NullMarked;
