/**
 * Text as Lua 5.3 sees it, the same for every engine: numerals, {@code string.format}, patterns,
 * and UTF-8. Strings of bytes are Java strings whose characters are 0 to 255.
 */
@NullMarked
package verwalter.scheduler.lua.text;

import org.jspecify.annotations.NullMarked;
