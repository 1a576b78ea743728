/**
 * Verwalter's own interpreter of Lua 5.3, with exact numbers and precise limits. A chunk becomes a
 * tree of {@link verwalter.scheduler.lua.vm.Expr} and {@link verwalter.scheduler.lua.vm.Stat} whose
 * local variables are slots of a {@link verwalter.scheduler.lua.vm.Frame}; running a program walks
 * the tree.
 *
 * <p>Lua values are Java objects: {@code null} is nil, then {@code Boolean}, {@code Long}, {@code
 * Double}, {@code String} with one byte per character, {@link verwalter.scheduler.lua.vm.Table},
 * and {@link verwalter.scheduler.lua.vm.Function}. Any number of values is an {@code Object[]}, but
 * exactly one is the value itself; no Lua value is an array.
 */
@NullMarked
package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.NullMarked;
