/**
 * Our own interpreter of Lua 5.3, whose numbers are exact and whose every limit is precise. A chunk
 * becomes a tree of {@link verwalter.scheduler.lua.vm.Expr} and {@link
 * verwalter.scheduler.lua.vm.Stat} whose local variables are slots of a {@link
 * verwalter.scheduler.lua.vm.Frame}; running it is walking the tree.
 *
 * <p>Lua values are Java objects: {@code null} is nil, then {@code Boolean}, {@code Long}, {@code
 * Double}, {@code String} with a byte in every character, {@link verwalter.scheduler.lua.vm.Table},
 * and {@link verwalter.scheduler.lua.vm.Function}. Where any number of values may come, an {@code
 * Object[]} stands for them unless it is exactly one; no Lua value is an array.
 */
@NullMarked
package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.NullMarked;
