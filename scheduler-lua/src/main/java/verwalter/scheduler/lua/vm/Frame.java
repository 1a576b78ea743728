package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** One call of a Lua function in progress. */
final class Frame {
  final Machine machine;
  final Closure function;
  final @Nullable Object[] slots;
  final @Nullable Object[] varargs;
  Place at;
  @Nullable Object result;

  Frame(Closure function, @Nullable Object[] slots, @Nullable Object[] varargs) {
    this.machine = function.machine;
    this.function = function;
    this.slots = slots;
    this.varargs = varargs;
    this.at = function.code.body;
  }
}
