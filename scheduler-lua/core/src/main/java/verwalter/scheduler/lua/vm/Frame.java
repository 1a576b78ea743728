package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** One call of a Lua function in progress. */
final class Frame {
  final VmState machine;
  final Closure function;
  final @Nullable Object[] slots;
  final @Nullable Object[] varargs;
  final boolean tail;
  CodePlace at;
  @Nullable Object result;

  Frame(Closure function, @Nullable Object[] slots, @Nullable Object[] varargs, boolean tail) {
    this.machine = function.machine;
    this.function = function;
    this.slots = slots;
    this.varargs = varargs;
    this.tail = tail;
    this.at = function.code.body;
  }
}
